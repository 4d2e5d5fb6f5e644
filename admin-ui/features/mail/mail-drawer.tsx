import { Drawer, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CopyText } from '../../components/copy-once.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Facts } from '../../components/record-page.tsx'
import { When } from '../../components/when.tsx'
import { WIDE_DRAWER } from '../../lib/drawer-widths.ts'
import { fetchMail, type Mail } from './mail.api.ts'

/** What the states of a mail are called. */
export const MAIL_LABELS: Record<Mail['status'], string> = {
  held: 'Waits here',
  queued: 'On its way',
  sent: 'Sent',
  failed: 'Failed',
}

/** One mail as it was written, with a copy button for its link. */
export const MailDrawer = ({ id, onClose }: { id: string | null; onClose: () => void }) => (
  <Drawer opened={id !== null} onClose={onClose} title="Mail" size={WIDE_DRAWER}>
    {id && <OpenMail id={id} />}
  </Drawer>
)

const OpenMail = ({ id }: { id: string }) => {
  // The text carries a one-time link: it is not kept once the drawer is closed.
  const mail = useQuery({ queryKey: ['mail', 'one', id], queryFn: () => fetchMail(id), gcTime: 0, retry: false })
  return (
    <Loaded query={mail}>
      {(data) => {
        const link = /https?:\/\/\S+/.exec(data.text)?.[0]
        return (
          <Stack gap="lg">
            <Facts
              items={[
                ['To', data.recipient],
                ['Subject', data.subject],
                ['Status', MAIL_LABELS[data.status]],
                ['Written', <When key="created" at={data.createdAt} />],
                ['Removed', <When key="expires" at={data.expiresAt} />],
                ['Problem', data.lastError ?? undefined],
              ]}
            />
            <div className="note mail-text">{data.text}</div>
            {link && (
              <Group>
                <CopyText text={link} label="Copy link" />
              </Group>
            )}
          </Stack>
        )
      }}
    </Loaded>
  )
}
