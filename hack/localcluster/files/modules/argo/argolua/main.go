// Command argolua runs the customizations of an argocd-cm as Argo CD does: with its own Lua machine, in its
// sandbox.
//
// Its first argument is the file of the ConfigMap; others are Applications, whose fields must all be known to
// Argo CD. It reads a JSON list of {object, action, wanted} from its input, where all but the object may be left
// out, and writes for each {health, actions, resources, outOfSync, error}: the health of the object, the actions
// that are offered for it, what becomes of it by the action, and whether Argo's diff finds it other than wanted.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/argoproj/argo-cd/gitops-engine/pkg/diff"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/health"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/util/lua"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

const prefix = "resource.customizations."

type request struct {
	Object *unstructured.Unstructured `json:"object"`
	Action string                     `json:"action"`
	Wanted *unstructured.Unstructured `json:"wanted"`
}

type answer struct {
	Health    *health.HealthStatus      `json:"health"`
	Actions   []v1alpha1.ResourceAction `json:"actions"`
	Resources []lua.ImpactedResource    `json:"resources"`
	OutOfSync bool                      `json:"outOfSync"`
	Error     string                    `json:"error,omitempty"`
}

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "argolua:", err)
		os.Exit(1)
	}
}

func run(arguments []string, in io.Reader, out io.Writer) error {
	if len(arguments) == 0 {
		return errors.New("name the file of an argocd-cm")
	}
	overrides, err := read(arguments[0])
	if err != nil {
		return err
	}
	for _, path := range arguments[1:] {
		if err := check(path); err != nil {
			return err
		}
	}
	var requests []request
	if err := json.NewDecoder(in).Decode(&requests); err != nil {
		return fmt.Errorf("reading a JSON list of objects and actions: %w", err)
	}
	answers := make([]answer, 0, len(requests))
	for _, each := range requests {
		answers = append(answers, serve(overrides, each))
	}
	return json.NewEncoder(out).Encode(answers)
}

// read takes the keys resource.customizations.<type>.<group>_<kind> in, as Argo's settings do.
func read(path string) (map[string]v1alpha1.ResourceOverride, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var settings struct {
		Data map[string]string `json:"data"`
	}
	if err := yaml.Unmarshal(text, &settings); err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	overrides := map[string]v1alpha1.ResourceOverride{}
	for key, value := range settings.Data {
		rest, ours := strings.CutPrefix(key, prefix)
		sort, kind, whole := strings.Cut(rest, ".")
		group, name, apart := strings.Cut(kind, "_")
		if !ours || !whole || !apart {
			return nil, fmt.Errorf("%s: %s is not %s<type>.<group>_<kind>", path, key, prefix)
		}
		override := overrides[group+"/"+name]
		switch sort {
		case "health":
			override.HealthLua = value
		case "actions":
			override.Actions = value
		default:
			return nil, fmt.Errorf("%s: %s is neither health nor actions", path, key)
		}
		overrides[group+"/"+name] = override
	}
	return overrides, nil
}

// check takes an Application as it is written, without a field that Argo would drop.
func check(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := yaml.UnmarshalStrict(text, &v1alpha1.Application{}); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func serve(overrides map[string]v1alpha1.ResourceOverride, asked request) answer {
	given := answer{}
	var err error
	// Argo's own entry: it looks at deletions first, and decides which libraries the script gets.
	given.Health, err = health.GetResourceHealth(asked.Object, lua.ResourceHealthOverrides(overrides))
	if err == nil {
		given.Actions, err = offered(lua.VM{ResourceOverrides: overrides}, asked.Object)
	}
	if err == nil && asked.Action != "" {
		given.Resources, err = act(lua.VM{ResourceOverrides: overrides}, asked)
	}
	if err == nil && asked.Wanted != nil {
		given.OutOfSync, err = outOfSync(asked.Wanted, asked.Object)
	}
	if err != nil {
		given.Error = err.Error()
	}
	return given
}

// outOfSync is a three-way diff where there is a last applied configuration, and a two-way one elsewhere.
func outOfSync(wanted, live *unstructured.Unstructured) (bool, error) {
	result, err := diff.Diff(wanted, live)
	if err != nil {
		return false, err
	}
	return result.Modified, nil
}

func offered(vm lua.VM, object *unstructured.Unstructured) ([]v1alpha1.ResourceAction, error) {
	scripts, err := vm.GetResourceActionDiscovery(object)
	if err != nil || len(scripts) == 0 {
		return nil, err
	}
	found, err := vm.ExecuteResourceActionDiscovery(object, scripts)
	slices.SortFunc(found, func(one, other v1alpha1.ResourceAction) int {
		return strings.Compare(one.Name, other.Name)
	})
	return found, err
}

func act(vm lua.VM, asked request) ([]lua.ImpactedResource, error) {
	action, err := vm.GetResourceAction(asked.Object, asked.Action)
	if err != nil {
		return nil, err
	}
	return vm.ExecuteResourceAction(asked.Object, action.ActionLua, nil)
}
