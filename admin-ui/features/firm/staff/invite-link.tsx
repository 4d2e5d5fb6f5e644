import { Alert, Button, Code, Group, Modal, Stack, Text } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { CopyText } from '../../../components/forms/copy-once.tsx'
import { FormNotice } from '../../../components/forms/form-modal.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { fetchMail, fetchMails } from '../../base/mail/mail.api.ts'
import { say, tell } from './words.ts'

/** An invitation that waits here because no mail server sends it; `name` is the invited person. */
export type HeldInvitation = { name: string; mailId: string }

/** Says in a notice whether an invitation was sent, or returns the invitation if the reader has to pass it on. */
export const followInvitation = async (user: {
  displayName: string
  email: string
}): Promise<HeldInvitation | null> => {
  // The user exists already: a mail that cannot be looked up must not look like a failure to add the user.
  const mail = await fetchMails({ recipient: user.email, limit: 1 }).then(
    ({ data }) => data[0],
    () => undefined,
  )
  if (mail?.status === 'held') return { name: user.displayName, mailId: mail.id }
  notify(
    mail === undefined || mail.status === 'failed'
      ? say('users.invite.failed')
      : mail.status === 'sent'
        ? say('users.invite.sent')
        : say('users.invite.queued'),
  )
  return null
}

const linkIn = (text: string): string => /https?:\/\/\S+/.exec(text)?.[0] ?? ''

/** Says that nothing was sent, and shows the link that the reader passes on. */
export const InviteLink = ({ invitation, onClose }: { invitation: HeldInvitation; onClose: () => void }) => {
  const refresh = useRefresh()
  const [link, setLink] = useState('')
  const read = useMutation({
    mutationFn: async () => {
      const found = linkIn((await fetchMail(invitation.mailId)).text)
      setLink(found)
      // A console opened over http may not write to the clipboard; the reader then copies the link shown below.
      await navigator.clipboard?.writeText(found).catch(() => undefined)
      await refresh('users')
    },
  })
  return (
    <Modal opened onClose={onClose} title={say('users.invite.held.title')} size="md">
      <Stack>
        <Text size="sm">{tell('users.invite.held.about', { name: <b>{invitation.name}</b> })}</Text>
        <Alert color="yellow" variant="light">
          {say('users.invite.held.warning')}
        </Alert>
        {link && (
          <Code block className="secret">
            {link}
          </Code>
        )}
        <FormNotice error={read.error} conflict={null} />
        <Group justify="flex-end" gap="xs">
          <Button variant={link ? 'filled' : 'default'} onClick={onClose}>
            {link ? say('common.done') : say('users.invite.held.later')}
          </Button>
          {link ? (
            <CopyText text={link} label={say('users.invite.held.copy')} />
          ) : (
            <Button leftSection={<IconCopy size={16} />} loading={read.isPending} onClick={() => read.mutate()}>
              {say('users.invite.held.copy')}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}
