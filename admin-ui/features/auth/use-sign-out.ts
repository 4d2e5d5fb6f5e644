import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { signOut } from './auth.api.ts'

/** Ends the session and leads to sign-in. */
export const useSignOut = () => {
  const navigate = useNavigate()
  const client = useQueryClient()
  return useMutation({
    mutationFn: signOut,
    // Also when the call failed because the session had ended already.
    onSettled: async () => {
      await navigate({ to: '/sign-in', search: {} })
      client.clear()
    },
  })
}
