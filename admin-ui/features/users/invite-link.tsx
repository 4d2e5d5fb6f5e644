import { Alert, Button, Code, Group, Modal, Stack, Text } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { CopyText } from '../../components/copy-once.tsx'
import { FormNotice } from '../../components/form-modal.tsx'
import { notify } from '../../lib/notify.tsx'
import { useRefresh } from '../../lib/use-record.ts'
import { fetchMail, fetchMails } from '../mail/mail.api.ts'

/** An invitation that no mail server carried: who it is for, and the mail that waits. */
export type HeldInvitation = { name: string; mailId: string }

/** What became of an invitation: told in a notice, or returned where it has to be passed on by hand. */
export const followInvitation = async (user: {
  displayName: string
  email: string
}): Promise<HeldInvitation | null> => {
  // The user is there already; that the mail cannot be looked up must not read as if they were not.
  const mail = await fetchMails({ recipient: user.email, limit: 1 }).then(
    ({ data }) => data[0],
    () => undefined,
  )
  if (mail?.status === 'held') return { name: user.displayName, mailId: mail.id }
  notify(
    mail === undefined || mail.status === 'failed'
      ? 'User added, but the invitation could not be sent; look under Mail.'
      : mail.status === 'sent'
        ? 'Invitation sent.'
        : 'The invitation is on its way.',
  )
  return null
}

const linkIn = (text: string): string => /https?:\/\/\S+/.exec(text)?.[0] ?? ''

/** Says that nothing was sent, and gives the link to be passed on. */
export const InviteLink = ({ invitation, onClose }: { invitation: HeldInvitation; onClose: () => void }) => {
  const refresh = useRefresh()
  const [link, setLink] = useState('')
  const read = useMutation({
    mutationFn: async () => {
      const found = linkIn((await fetchMail(invitation.mailId)).text)
      setLink(found)
      // A console opened over http may not write to the clipboard; the link then stands below to be copied.
      await navigator.clipboard?.writeText(found).catch(() => undefined)
      await refresh('users')
    },
  })
  return (
    <Modal opened onClose={onClose} title="No mail server: pass this link on" size="md">
      <Stack>
        <Text size="sm">
          <b>{invitation.name}</b> was added, but nothing was sent: this installation has no mail server. Give them the
          link yourself. It works once and for 24 hours.
        </Text>
        <Alert color="yellow" variant="light">
          Who reads the link could sign in with it, so the account is partly yours. Their votes about money count once
          they have a second factor and a third person vouches for them.
        </Alert>
        {link && (
          <Code block className="secret">
            {link}
          </Code>
        )}
        <FormNotice error={read.error} conflict={null} />
        <Group justify="flex-end" gap="xs">
          <Button variant={link ? 'filled' : 'default'} onClick={onClose}>
            {link ? 'Done' : 'Later'}
          </Button>
          {link ? (
            <CopyText text={link} label="Copy link" />
          ) : (
            <Button leftSection={<IconCopy size={16} />} loading={read.isPending} onClick={() => read.mutate()}>
              Copy link
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}
