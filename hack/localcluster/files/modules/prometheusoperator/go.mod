module localcluster/prometheusoperator

go 1.26.0

// Nothing is built of it: its CRDs are what our monitors and rules are held against.
require github.com/prometheus-operator/prometheus-operator v0.85.0
