"""Workers: take what is to be reconciled, and see to it that what failed comes again."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from time import monotonic

from flexlbf.cluster.client import ApiError, NotLeader
from flexlbf.cluster.writer import WriteFailed
from flexlbf.handlers.observe import Task
from flexlbf.handlers.planner import PlanningError
from flexlbf.handlers.workqueue import WorkQueue

logger = logging.getLogger(__name__)


class Workers:
    """Reconcile the tasks of one queue.

    Args:
        reconcile: gives the seconds after which to look again, None for never.
        told: hears of each reconciliation its kind, how it ended (success, requeue_after or error) and how
            many seconds it took.
    """

    def __init__(
        self,
        queue: WorkQueue[Task],
        reconcile: Callable[[Task], Awaitable[float | None]],
        told: Callable[[str, str, float], None],
    ) -> None:
        self._queue = queue
        self._reconcile = reconcile
        self._told = told

    async def work(self) -> None:
        """Reconcile one task after the other until cancelled; a task that is cut off is given back."""
        while True:
            task = await self._queue.take()
            begun, result = monotonic(), "error"
            try:
                again = await self._reconcile(task)
            except asyncio.CancelledError:
                self._queue.give_back(task)
                raise
            except NotLeader:
                self._queue.failed(task)  # the end of the term is on its way
            except (ApiError, WriteFailed, PlanningError) as error:
                delay = self._queue.failed(task, getattr(error, "retry_after", None) or 0)
                logger.warning("Reconciling %s %s: %s; again in %.0f s", *task, error, delay)
            except Exception:
                delay = self._queue.failed(task)
                logger.exception("Reconciling %s %s; again in %.0f s", *task, delay)
            else:
                self._queue.done(task)
                result = "success" if again is None else "requeue_after"
                if again is None:
                    self._queue.cancel_timer(task)
                else:
                    self._queue.add_at(task, again)
            self._told(task.kind, result, monotonic() - begun)
