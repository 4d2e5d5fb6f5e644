import { queryOptions } from '@tanstack/react-query'
import { type Answer, call } from '../../../api.ts'

type Progress = Answer<'setup.progress'>
export type Step = Progress['steps'][number]['step']

/** Which first steps the firm has done. Asked anew each time the dashboard is opened: they are done on other pages. */
export const progressQuery = queryOptions({
  queryKey: ['dashboard', 'progress'],
  queryFn: () => call('setup.progress'),
})
