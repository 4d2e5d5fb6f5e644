import { queryOptions } from '@tanstack/react-query'
import { type Answer, call } from '../../../api.ts'

type Progress = Answer<'setup.progress'>
export type Step = Progress['steps'][number]['step']

/** Reads which first steps the firm has done, each time that the dashboard opens: they are done on other pages. */
export const progressQuery = queryOptions({
  queryKey: ['dashboard', 'progress'],
  queryFn: () => call('setup.progress'),
})
