import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { tellTabs } from '../../../lib/api/signed-in.ts'
import { askGuards } from '../../../lib/screen/open-guards.ts'
import { signOut } from './auth.api.ts'

/** Returns a function that ends the session and leads to sign-in; it asks first when typed text would be lost. */
export const useSignOut = (): (() => void) => {
  const navigate = useNavigate()
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: signOut,
    // This also runs when the call failed, because the session may have ended already.
    onSettled: async () => {
      // `askGuards` has asked already, and a page without a session is of no more use.
      await navigate({ to: '/sign-in', search: {}, ignoreBlocker: true })
      client.clear()
      tellTabs(null)
    },
  })
  return () => askGuards(() => mutate())
}
