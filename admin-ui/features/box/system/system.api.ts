import { queryOptions } from '@tanstack/react-query'
import { type Body, buildUrl, call, type Row } from '../../../api.ts'
import { saveFile } from '../../../lib/api/save-file.ts'

/** Reads whether the installation's key is kept outside it; it is read once, and updated by the page of the key. */
export const recoveryKeyQuery = queryOptions({
  queryKey: ['system', 'recovery-key'],
  queryFn: () => call('system.recoveryKey'),
  staleTime: Number.POSITIVE_INFINITY,
})

export const showRecoveryWords = () => call('system.recoveryWords')
export const noteRecoveryKeyKept = (body: Body<'system.keepRecoveryKey'>) => call('system.keepRecoveryKey', { body })

export type Job = Row<'system.jobs'>
export type JobRun = NonNullable<Job['lastRun']>

/** Reads the jobs. Some run every second, so a page that shows them reads them again soon. */
export const jobsQuery = queryOptions({
  queryKey: ['system', 'jobs'],
  queryFn: () => call('system.jobs'),
  refetchInterval: ({ state }) => (state.data?.data.some(({ running }) => running) ? 1_000 : 5_000),
})
export const runJob = (name: string) => call('system.runJob', { params: { name } })

type Answer<Id extends Parameters<typeof call>[0]> = Awaited<ReturnType<typeof call<Id>>>
export type Backups = Answer<'system.backups'>
export type Snapshot = Row<'system.backups'>

/** Reads the copies of the installation; while one is being made, the page reads them again soon. */
export const backupsQuery = queryOptions({
  queryKey: ['system', 'backups'],
  queryFn: () => call('system.backups'),
  refetchInterval: ({ state }) => ((state.data?.running.length ?? 0) > 0 ? 1_000 : 15_000),
})
export const takeBackup = () => call('system.takeBackup')
export const beginDrill = () => call('system.drill')
export const downloadBackup = (id: string) => saveFile(buildUrl('system.downloadBackup', { params: { id } }))

/** Reads the machines that work together; each is asked, so that an answer may take two seconds. */
export const boxesQuery = queryOptions({
  queryKey: ['boxes'],
  queryFn: () => call('system.boxes'),
  refetchInterval: 15_000,
})
export const setBoxes = (boxes: Body<'system.setBoxes'>['boxes'], version: number) =>
  call('system.setBoxes', { body: { boxes }, ifMatch: version })

/** Reads the figures of the installation, and the warnings about it. */
export const statusQuery = queryOptions({
  queryKey: ['system', 'status'],
  queryFn: () => call('system.status'),
  refetchInterval: 30_000,
})
