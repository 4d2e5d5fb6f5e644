import { IconMailForward } from '@tabler/icons-react'
import { useState } from 'react'
import { type Column, DataList } from '../../../components/lists/data-list.tsx'
import type { Asked } from '../../../components/lists/list-acts.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Page } from '../../../components/page/page.tsx'
import { When } from '../../../components/show/moment.tsx'
import { StatusBadge } from '../../../components/show/status-badge.tsx'
import { useCan } from '../../../lib/api/session.ts'
import type { FilterOf } from '../../../lib/lists/filters.ts'
import { choices } from '../../../lib/text/choices.ts'
import { fetchMails, type Mail, mailName, maySend } from './mail.api.ts'
import { MAIL_LABELS, MailDrawer } from './mail-drawer.tsx'
import { SendMails } from './send-mails.tsx'
import { say } from './words.ts'

const FILTERS: readonly FilterOf<'mails.list'>[] = [
  {
    key: 'status',
    label: say('field.status'),
    options: choices(MAIL_LABELS),
  },
  { key: 'recipient', label: say('mail.filter.recipient') },
]

const COLUMNS: readonly Column<Mail>[] = [
  { key: 'subject', title: say('mail.subject'), render: ({ subject }) => subject },
  {
    key: 'status',
    title: say('field.status'),
    render: ({ status }) => <StatusBadge status={status} label={MAIL_LABELS[status]} tone={TONES[status]} />,
  },
  { key: 'recipient', title: say('common.to'), wide: true, render: ({ recipient }) => recipient },
  {
    key: 'createdAt',
    title: say('mail.written'),
    sort: 'createdAt',
    wide: true,
    render: ({ createdAt }) => <When at={createdAt} />,
  },
  {
    key: 'expiresAt',
    title: say('mail.removed'),
    wide: true,
    render: ({ expiresAt }) => <When at={expiresAt} as="ago" />,
  },
]

const TONES = { held: 'wait', queued: 'info', sent: 'good', failed: 'bad' } as const

/** One call takes at most this many mails. */
const MOST_SENT = 500

/** Lists outgoing mail; without a mail server, mails are kept here to be read. */
export const MailList = () => {
  const can = useCan()
  const [chosen, setChosen] = useState<Asked<Mail> | null>(null)
  return (
    <Page title={say('mail.mail')} subtitle={say('mail.about')}>
      <DataList
        id="mail"
        label={say('mail.mail')}
        fetch={fetchMails}
        columns={COLUMNS}
        filters={FILTERS}
        beside={({ id }, close) => <MailDrawer id={id} onClose={close} />}
        {...(can('admin') && {
          rowName: mailName,
          bulkMost: MOST_SENT,
          selectable: { when: maySend, otherwise: say('mail.send.not_selectable') },
          acts: [
            {
              hotkey: 's',
              label: say('mail.send.title'),
              icon: <IconMailForward size={14} />,
              when: maySend,
              run: setChosen,
            },
          ],
        })}
        empty={<EmptyState title={say('mail.empty.title')}>{say('mail.empty.about')}</EmptyState>}
      />
      {chosen && <SendMails rows={chosen.rows} onResults={chosen.settle} onClose={() => setChosen(null)} />}
    </Page>
  )
}
