-- The health of a BackupPolicy. Argo CD's sandbox has no string library, so there is none here.
local function health(status, message)
  return { status = status, message = message }
end

local status = obj.status
if status == nil or status.conditions == nil or status.observedGeneration ~= obj.metadata.generation then
  return health("Progressing", "The operator has not looked at this version yet")
end

local conditions = {}
for _, condition in ipairs(status.conditions) do
  conditions[condition.type] = condition
end

local function is(kind, value)
  return conditions[kind] ~= nil and conditions[kind].status == value
end

if is("Stalled", "True") then
  return health("Degraded", conditions.Stalled.message)
end
if is("Reconciling", "True") then
  return health("Progressing", conditions.Reconciling.message)
end
if not is("Ready", "True") then
  return health("Progressing", "The operator has not said yet whether the policy is ready")
end
if obj.spec.suspend == true then
  return health("Suspended", conditions.Ready.message)
end

-- As Argo CD does with a CronJob whose last Job failed. A session that runs is neither good nor bad yet.
local session = conditions.SessionComplete
if session ~= nil and (session.reason == "SessionFailed" or session.reason == "WindowEnded") then
  return health("Degraded", session.message)
end

-- A forecast that overruns is for an alert and not a failure: everything is as it was asked for.
if is("WindowFit", "False") then
  return health("Healthy", conditions.Ready.message .. "; " .. conditions.WindowFit.message)
end
return health("Healthy", conditions.Ready.message)
