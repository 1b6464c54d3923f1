"""FlexLBF Operator: plans backup sessions on tape drives and runs them on Kubernetes."""
