import { queryOptions } from '@tanstack/react-query'
import { type Body, call } from '../../api.ts'

/** Whether somebody keeps the key of this installation; asked once, and changed by the page of the key. */
export const recoveryKeyQuery = queryOptions({
  queryKey: ['system', 'recovery-key'],
  queryFn: () => call('system.recoveryKey'),
  staleTime: Number.POSITIVE_INFINITY,
})

export const showRecoveryWords = () => call('system.recoveryWords')
export const noteRecoveryKeyKept = (body: Body<'system.keepRecoveryKey'>) => call('system.keepRecoveryKey', { body })
