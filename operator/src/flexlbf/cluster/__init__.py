"""The only part that speaks to the API server: it reads into `ClusterState`, and it writes plans out."""
