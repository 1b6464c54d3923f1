// Package objects reads Kubernetes objects as a list of JSON and writes what was found of them.
package objects

import (
	"encoding/json"
	"fmt"
	"io"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Verdict is what a tool takes an object for.
type Verdict struct {
	Status  string `json:"status"`
	Message string `json:"message"`
	Error   string `json:"error,omitempty"`
}

// Judge reads a JSON list of objects, asks for a verdict on each, and writes the list of these.
func Judge(in io.Reader, out io.Writer, verdict func(*unstructured.Unstructured) Verdict) error {
	var documents []json.RawMessage
	if err := json.NewDecoder(in).Decode(&documents); err != nil {
		return fmt.Errorf("reading a JSON list of objects: %w", err)
	}
	verdicts := make([]Verdict, 0, len(documents))
	for index, document := range documents {
		object := &unstructured.Unstructured{}
		// Not encoding/json's: kstatus and CEL tell whole numbers from others.
		if err := object.UnmarshalJSON(document); err != nil {
			return fmt.Errorf("reading object %d: %w", index, err)
		}
		verdicts = append(verdicts, verdict(object))
	}
	return json.NewEncoder(out).Encode(verdicts)
}
