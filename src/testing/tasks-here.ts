import { readAnswer, TaskFailed, taskRunner } from '../platform/query-runner/task.ts'
import type { TaskName } from '../platform/query-runner/task-names.ts'

/** These tasks run in a child all the same: their tests are about its limits, end and locks, and what it may open. */
const IN_CHILD = /^(body|limits|sandbox|standby)\./

const { run: runInChild } = taskRunner

/** Runs tasks in the process of the tests, since a child would load the program for each task. */
export function runTasksHere(): void {
  taskRunner.run = async (name: TaskName, input, limits) => {
    if (IN_CHILD.test(name)) return runInChild(name, input, limits)
    const { answerTask } = await import('../commands/run-task.ts')
    // a child would get and print JSON
    const given: unknown = JSON.parse(JSON.stringify(input))
    try {
      limits.signal?.throwIfAborted()
      return readAnswer(Buffer.from(await answerTask(name, given)))
    } catch (error) {
      throw new TaskFailed(error instanceof Error ? error.message : String(error))
    }
  }
}

/** Runs tasks in children during `act`, as the program does. */
export async function inChildren<T>(act: () => Promise<T>): Promise<T> {
  const { run } = taskRunner
  taskRunner.run = runInChild
  try {
    return await act()
  } finally {
    taskRunner.run = run
  }
}
