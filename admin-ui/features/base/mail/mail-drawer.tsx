import { Button, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CopyText } from '../../../components/forms/copy-once.tsx'
import { Loaded } from '../../../components/page/loaded.tsx'
import { RecordDrawer } from '../../../components/page/record-drawer.tsx'
import { Facts } from '../../../components/page/record-page.tsx'
import { When } from '../../../components/show/moment.tsx'
import { WIDE_DRAWER } from '../../../lib/screen/drawer-widths.ts'
import { fetchMail, type Mail, maySend } from './mail.api.ts'
import { SendMails } from './send-mails.tsx'
import { say } from './words.ts'

export const MAIL_LABELS: Record<Mail['status'], string> = {
  held: say('mail.status.held'),
  queued: say('mail.status.queued'),
  sent: say('mail.status.sent'),
  failed: say('common.failed'),
}

/** Shows one mail as it was written, with a button that copies its link. */
export const MailDrawer = ({ id, onClose }: { id: string; onClose: () => void }) => (
  <RecordDrawer opened onClose={onClose} title={say('mail.mail')} size={WIDE_DRAWER}>
    <OpenMail id={id} />
  </RecordDrawer>
)

const OpenMail = ({ id }: { id: string }) => {
  // The text has a one-time link, so it is removed from the cache when the drawer is closed.
  const mail = useQuery({ queryKey: ['mail', 'one', id], queryFn: () => fetchMail(id), gcTime: 0, retry: false })
  const [sending, setSending] = useState(false)
  return (
    <Loaded query={mail}>
      {(data) => {
        const link = /https?:\/\/\S+/.exec(data.text)?.[0]
        return (
          <Stack gap="lg">
            <Facts
              items={[
                [say('common.to'), data.recipient],
                [say('mail.subject'), data.subject],
                [say('field.status'), MAIL_LABELS[data.status]],
                [say('mail.written'), <When key="created" at={data.createdAt} />],
                [say('mail.removed'), <When key="expires" at={data.expiresAt} />],
                [say('mail.problem'), data.lastError ?? undefined],
              ]}
            />
            <div className="note mail-text">{data.text}</div>
            <Group>
              {link && <CopyText text={link} label={say('mail.link.copy')} />}
              {maySend(data) && (
                <Button variant="default" onClick={() => setSending(true)}>
                  {say('mail.send.title')}
                </Button>
              )}
            </Group>
            {sending && <SendMails rows={[data]} onResults={() => undefined} onClose={() => setSending(false)} />}
          </Stack>
        )
      }}
    </Loaded>
  )
}
