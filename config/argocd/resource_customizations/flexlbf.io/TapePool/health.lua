-- The health of a TapePool. A pool that is asked for too much stays healthy: those who asked can mend it, and
-- they have Applications of their own.
local function health(status, message)
  return { status = status, message = message }
end

local status = obj.status
if status == nil or status.conditions == nil or status.observedGeneration ~= obj.metadata.generation then
  return health("Progressing", "The operator has not looked at this version yet")
end

local ready, use
for _, condition in ipairs(status.conditions) do
  if condition.type == "Ready" then
    ready = condition
  elseif condition.type == "Oversubscribed" then
    use = condition
  end
end

if ready == nil or ready.status ~= "True" then
  return health("Progressing", "The operator has not said yet whether the pool is ready")
end
if use ~= nil then
  return health("Healthy", ready.message .. "; " .. use.message)
end
return health("Healthy", ready.message)
