import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { isApiError } from './http.ts'

type OnSignedOut = () => void

/** One cache for the whole console. `onSignedOut` runs when any call finds that the session is gone. */
export const createQueryClient = (onSignedOut: OnSignedOut): QueryClient => {
  const watch = (error: unknown): void => {
    if (isApiError(error, 401)) onSignedOut()
    // The firm asks it since this page was opened: the frame shows the way as soon as it knows.
    if (isApiError(error, 403) && error.problem.code === 'second_factor_required')
      void client.invalidateQueries({ queryKey: ['me'] })
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: watch }),
    mutationCache: new MutationCache({
      // Sign-in itself answers 401 for a wrong password; such mutations say so in their meta.
      onError: (error, _variables, _result, mutation) => {
        if (!mutation.meta?.public) watch(error)
        // It may have been done: whoever looks before they enter it again sees what is there now. No form
        // knows all that its act touches, so everything is read.
        if (isApiError(error) && error.unanswered !== null) void client.invalidateQueries()
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        // A 4xx will not get better by asking again.
        retry: (count, error) => count < 2 && (!isApiError(error) || error.status === 0 || error.status >= 500),
      },
      // Without a connection an act fails at once and says so; one that waited for it would be sent unseen.
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  return client
}
