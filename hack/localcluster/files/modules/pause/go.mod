module localcluster/pause

go 1.21
