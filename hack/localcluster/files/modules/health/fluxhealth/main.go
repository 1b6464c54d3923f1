// Command fluxhealth says what Flux takes objects for, by the healthCheckExprs of a Kustomization.
//
// Its argument is the Kustomization's file, whose fields must all be known to Flux. It reads a JSON list of objects and writes a JSON list of
// {status, message, error}. As Flux's kustomize-controller does, it asks kstatus about kinds without expressions.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/fluxcd/cli-utils/pkg/kstatus/status"
	kustomizev1 "github.com/fluxcd/kustomize-controller/api/v1"
	"github.com/fluxcd/pkg/runtime/cel"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"localcluster/health/objects"
)

type evaluators map[schema.GroupKind]*cel.StatusEvaluator

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "fluxhealth:", err)
		os.Exit(1)
	}
}

func run() error {
	if len(os.Args) != 2 {
		return errors.New("name the file of one Kustomization")
	}
	known, err := read(os.Args[1])
	if err != nil {
		return err
	}
	return objects.Judge(os.Stdin, os.Stdout, known.verdict)
}

// read takes the expressions of a Kustomization in, with the checks that Flux makes of them.
func read(path string) (evaluators, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	kustomization := &kustomizev1.Kustomization{}
	if err := yaml.UnmarshalStrict(text, kustomization); err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	checks := kustomization.Spec.HealthCheckExprs
	if _, err := cel.NewStatusReader(checks); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	known := make(evaluators, len(checks))
	for _, check := range checks {
		kind := schema.FromAPIVersionAndKind(check.APIVersion, check.Kind).GroupKind()
		if known[kind], err = cel.NewStatusEvaluator(&check.HealthCheckExpressions); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", path, check.Kind, err)
		}
	}
	return known, nil
}

func (known evaluators) verdict(object *unstructured.Unstructured) objects.Verdict {
	compute := func() (*status.Result, error) { return status.Compute(object) }
	if evaluator, ok := known[object.GroupVersionKind().GroupKind()]; ok {
		compute = func() (*status.Result, error) { return evaluator.Evaluate(context.Background(), object) }
	}
	result, err := compute()
	if err != nil {
		return objects.Verdict{Error: err.Error()}
	}
	return objects.Verdict{Status: result.Status.String(), Message: result.Message}
}
