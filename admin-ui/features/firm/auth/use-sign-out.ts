import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { tellTabs } from '../../../lib/api/signed-in.ts'
import { askGuards } from '../../../lib/screen/open-guards.ts'
import { signOut } from './auth.api.ts'

/** Ends the session and leads to sign-in; asks first when something typed would be lost. */
export const useSignOut = (): (() => void) => {
  const navigate = useNavigate()
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: signOut,
    // Also when the call failed because the session had ended already.
    onSettled: async () => {
      // Asked before: nobody can keep on typing in a page without a session.
      await navigate({ to: '/sign-in', search: {}, ignoreBlocker: true })
      client.clear()
      tellTabs(null)
    },
  })
  return () => askGuards(() => mutate())
}
