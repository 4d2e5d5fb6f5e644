import { Button, Modal, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useState } from 'react'
import { barChanges } from '../../../lib/api/http.ts'
import { meQuery } from '../../../lib/api/session.ts'
import { hearTabs, type Person, tellTabs } from '../../../lib/api/signed-in.ts'
import { say } from '../../../lib/text/words.ts'
import type { Me } from '../../firm/auth/auth.api.ts'

// This also covers the dialog that asks for the password of the person who is no longer signed in.
const ABOVE_ALL = 600

/**
 * Covers a page if another person is now signed in in this browser: an action on the page would be done in the name of
 * that person. The page sends no change until it is reloaded.
 */
export const OtherPerson = ({ me }: { me: Me }) => {
  const client = useQueryClient()
  const [owner] = useState<Person>(me)
  const [told, setTold] = useState<Person | null>(null)
  const { id, displayName } = me
  useEffect(() => tellTabs({ id, displayName }), [id, displayName])
  useEffect(
    () =>
      hearTabs((person) => {
        setTold(person)
        void client.invalidateQueries({ queryKey: meQuery.queryKey })
      }),
    [client],
  )
  const other = [me, told].find((person) => person && person.id !== owner.id)
  const isOther = other !== undefined
  useLayoutEffect(() => (isOther ? barChanges() : undefined), [isOther])
  return (
    other && (
      <Modal
        opened
        onClose={() => undefined}
        title={say('shell.other_session.title', { displayName: other.displayName })}
        size="sm"
        zIndex={ABOVE_ALL}
        withCloseButton={false}
        closeOnClickOutside={false}
        closeOnEscape={false}
        overlayProps={{ backgroundOpacity: 1, color: 'var(--mantine-color-body)' }}
      >
        <Stack>
          <Text size="sm">
            {say('shell.other_session.about', { opener: owner.displayName, current: other.displayName })}
          </Text>
          <Button fullWidth onClick={() => location.reload()} data-autofocus>
            {say('shell.other_session.reload')}
          </Button>
        </Stack>
      </Modal>
    )
  )
}
