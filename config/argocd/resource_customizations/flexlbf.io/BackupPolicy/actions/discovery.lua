local suspended = obj.spec.suspend == true

local actions = {}
actions["run"] = {
  ["displayName"] = "Back up now",
  ["iconClass"] = "fa fa-fw fa-play",
  ["disabled"] = suspended or obj.spec.mode == "Recommend",
}
actions["suspend"] = { ["iconClass"] = "fa fa-fw fa-pause", ["disabled"] = suspended }
actions["resume"] = { ["iconClass"] = "fa fa-fw fa-play-circle", ["disabled"] = not suspended }
return actions
