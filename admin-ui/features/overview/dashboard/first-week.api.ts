import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Answer, call } from '../../../api.ts'
import { useUndo } from '../../../components/forms/use-undo.ts'
import { useCan } from '../../../lib/api/session.ts'
import { currentView } from '../../../lib/api/viewed-person.ts'
import { say } from './words.ts'

type Progress = Answer<'setup.progress'>
export type Step = Progress['steps'][number]['step']
export type StepState = Progress['steps'][number]

/** These steps, in their order, lead to the first settled deposit; the others can come later. */
const PATH: readonly Step[] = ['first_colleague', 'sanctions_list', 'first_client', 'first_deposit']

/** Reads which first steps the firm has done; acts on other pages make it stale. */
const progressQuery = queryOptions({
  queryKey: ['setup', 'progress'],
  queryFn: () => call('setup.progress'),
})

/** Reads the progress, but not again once all steps are done or put away. */
const useProgress = () => {
  const can = useCan()
  const isAsked = can('manager') && currentView() === null
  const { data, isPending } = useQuery({
    ...progressQuery,
    enabled: ({ state }) => isAsked && !state.data?.complete && !state.data?.putAway,
  })
  return { data, isKnown: !isAsked || !isPending }
}

/** Returns whether it is known by now if there are first steps. */
export const useWeekIsKnown = (): boolean => useProgress().isKnown

/**
 * Returns the first steps while somebody may want to see them: undefined once all are done or they were put away, and
 * for those who can do none of them.
 */
export const useFirstWeek = () => {
  const client = useQueryClient()
  const { data } = useProgress()
  const offerUndo = useUndo('setup')
  const set = async (putAway: boolean): Promise<void> => {
    const progress = await call('setup.progress.set', { body: { putAway } })
    client.setQueryData(progressQuery.queryKey, progress)
  }
  const putAway = useMutation({
    mutationFn: () => set(true),
    onSuccess: () => offerUndo(say('dashboard.week.away_done'), () => set(false)),
  })
  if (!data || data.complete || data.putAway) return undefined
  const path = data.steps.filter(({ step }) => PATH.includes(step))
  return {
    steps: data.steps,
    path,
    later: data.steps.filter(({ step }) => !PATH.includes(step)),
    /** The first open step of the way to the first deposit; undefined once it is settled. */
    next: path.find(({ step }) => step === 'first_deposit')?.done ? undefined : path.find(({ done }) => !done),
    putAway,
  }
}
