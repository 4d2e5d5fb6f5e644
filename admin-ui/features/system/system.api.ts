import { queryOptions } from '@tanstack/react-query'
import { type Body, call, type Row } from '../../api.ts'

/** Whether somebody keeps the key of this installation; asked once, and changed by the page of the key. */
export const recoveryKeyQuery = queryOptions({
  queryKey: ['system', 'recovery-key'],
  queryFn: () => call('system.recoveryKey'),
  staleTime: Number.POSITIVE_INFINITY,
})

export const showRecoveryWords = () => call('system.recoveryWords')
export const noteRecoveryKeyKept = (body: Body<'system.keepRecoveryKey'>) => call('system.keepRecoveryKey', { body })

export type Job = Row<'system.jobs'>
export type JobRun = NonNullable<Job['lastRun']>

/** What runs by itself; some jobs look every second, so a page that shows them looks again soon. */
export const jobsQuery = queryOptions({
  queryKey: ['system', 'jobs'],
  queryFn: () => call('system.jobs'),
  refetchInterval: ({ state }) => (state.data?.data.some(({ running }) => running) ? 1_000 : 5_000),
})
export const runJob = (name: string) => call('system.runJob', { params: { name } })
