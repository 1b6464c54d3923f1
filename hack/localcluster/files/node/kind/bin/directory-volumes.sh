#!/bin/bash
# Gives every claim on our storage class a directory of this node, and removes it with the claim.
# Any user may write there: pods that do not run as root have no other way in.
set -euo pipefail

export KUBECONFIG=/etc/kubernetes/admin.conf
readonly PROVISIONER=flexlbf.local/directory
readonly VOLUMES=/var/local/volumes

provide() { # one claim as JSON
  local name path
  name=pvc-$(jq -r .metadata.uid <<<"$1")
  path=$VOLUMES/$name
  install -d -m 0777 "$path"
  jq --arg name "$name" --arg path "$path" --arg provisioner "$PROVISIONER" '{
    apiVersion: "v1", kind: "PersistentVolume",
    metadata: {name: $name, annotations: {"pv.kubernetes.io/provisioned-by": $provisioner}},
    spec: {
      storageClassName: .spec.storageClassName, accessModes: .spec.accessModes,
      capacity: {storage: .spec.resources.requests.storage},
      persistentVolumeReclaimPolicy: "Delete",
      hostPath: {path: $path, type: "Directory"},
      claimRef: {apiVersion: "v1", kind: "PersistentVolumeClaim", uid: .metadata.uid,
                 name: .metadata.name, namespace: .metadata.namespace}}}' <<<"$1" |
    kubectl apply -f -
}

watch_claims() {
  kubectl get persistentvolumeclaims -A --watch --output=json |
    jq --unbuffered -c --arg provisioner "$PROVISIONER" 'select(.status.phase == "Pending" and
      .metadata.annotations["volume.kubernetes.io/storage-provisioner"] == $provisioner)' |
    while read -r claim; do provide "$claim"; done
}

watch_volumes() {
  kubectl get persistentvolumes --watch --output=json |
    jq --unbuffered -r --arg provisioner "$PROVISIONER" 'select(.status.phase == "Released" and
      .metadata.annotations["pv.kubernetes.io/provisioned-by"] == $provisioner) | .metadata.name' |
    while read -r name; do
      rm -rf "${VOLUMES:?}/${name:?}"
      kubectl delete persistentvolume --ignore-not-found "$name"
    done
}

until kubectl get --raw=/readyz >/dev/null 2>&1; do sleep 1; done
watch_claims &
watch_volumes &
wait -n # whichever watch ends first, systemd starts both again
