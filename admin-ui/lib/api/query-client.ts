import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { isApiError } from './http.ts'

type OnSignedOut = () => void

/** Makes the one cache of the console. `onSignedOut` runs when any call finds that the session has ended. */
export const createQueryClient = (onSignedOut: OnSignedOut): QueryClient => {
  const watch = (error: unknown): void => {
    if (isApiError(error, 401)) onSignedOut()
    // The firm has required a second factor since this page was opened; the frame asks for it once it has read that.
    if (isApiError(error, 403) && error.problem.code === 'second_factor_required')
      void client.invalidateQueries({ queryKey: ['me'] })
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: watch }),
    mutationCache: new MutationCache({
      // Sign-in itself answers 401 for a wrong password; such mutations are marked in their meta.
      onError: (error, _variables, _result, mutation) => {
        if (!mutation.meta?.public) watch(error)
        // The change may have been done, so the reader must see the present state before entering it again. No form
        // knows everything that its change touches, so everything is read.
        if (isApiError(error) && error.unanswered !== null) void client.invalidateQueries()
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        // Repeating a request does not solve a 4xx.
        retry: (count, error) => count < 2 && (!isApiError(error) || error.status === 0 || error.status >= 500),
      },
      // Without a connection a change fails at once and says so; a waiting one would be sent unseen.
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  return client
}
