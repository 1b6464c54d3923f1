// Command kstatus says what kstatus takes objects for: InProgress, Current, Failed or Terminating.
//
// It reads a JSON list of objects and writes a JSON list of {status, message}.
package main

import (
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"

	"localcluster/health/objects"
)

func main() {
	if err := objects.Judge(os.Stdin, os.Stdout, verdict); err != nil {
		fmt.Fprintln(os.Stderr, "kstatus:", err)
		os.Exit(1)
	}
}

func verdict(object *unstructured.Unstructured) objects.Verdict {
	result, err := status.Compute(object)
	if err != nil {
		return objects.Verdict{Error: err.Error()}
	}
	return objects.Verdict{Status: result.Status.String(), Message: result.Message}
}
