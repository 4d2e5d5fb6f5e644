import { Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { RecordDrawer } from '../../../components/page/record-drawer.tsx'
import { Facts } from '../../../components/page/record-page.tsx'
import { JsonDiff } from '../../../components/show/json-diff.tsx'
import { When } from '../../../components/show/moment.tsx'
import { WIDE_DRAWER } from '../../../lib/screen/drawer-widths.ts'
import { useStaff } from '../../firm/users/users.api.ts'
import { actionText, actorText, entityText, fieldText, valueText } from './audit-words.ts'
import { say } from './words.ts'

type Change = {
  action: string
  actorKind: string
  actorName: string | null
  at: string
  entity: string
  entityId: string | null
  traderId?: string | null
  traderName?: string | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  erased?: boolean
}

type ChangeDrawerProps = {
  entry: Change
  /** These label and value pairs are shown too. */
  facts?: readonly (readonly [string, ReactNode])[]
  onClose: () => void
}

/** Shows one entry of the audit log: who did what, and every field before and after. */
export const ChangeDrawer = ({ entry, facts = [], onClose }: ChangeDrawerProps) => {
  const { findStaffName } = useStaff()
  return (
    <RecordDrawer opened onClose={onClose} title={actionText(entry.action)} size={WIDE_DRAWER}>
      <Stack gap="lg">
        <Facts
          items={[
            [say('audit.who'), actorText(entry)],
            [say('common.when'), <When key="at" at={entry.at} />],
            [say('common.client'), entry.traderId && <ClientLink key="client" entry={entry} />],
            [say('audit.record'), entry.entityId && <RecordLink key="record" entry={entry} />],
            ...facts,
          ]}
        />
        {entry.erased ? (
          <Text size="sm" c="dimmed">
            {say('audit.change.erased')}
          </Text>
        ) : (
          <JsonDiff
            before={entry.before}
            after={entry.after}
            nameField={fieldText}
            findName={(text, field) => {
              if (text === entry.traderId) return entry.traderName
              return text.startsWith('usr_') ? findStaffName(text, entry.at) : valueText(field, text)
            }}
          />
        )}
      </Stack>
    </RecordDrawer>
  )
}

const ClientLink = ({ entry: { traderId, traderName } }: { entry: Change }) =>
  traderId && (
    <Link to="/traders/$id" params={{ id: traderId }} className="text-link">
      {traderName ?? say('lists.deleted_client')}
    </Link>
  )

const PAGES = {
  deposit: '/deposits/$id',
  withdrawal: '/withdrawals/$id',
  trader: '/traders/$id',
  ticket: '/support/$id',
  kyc_submission: '/kyc/$id',
} as const
const hasPage = (entity: string): entity is keyof typeof PAGES => Object.hasOwn(PAGES, entity)

/** Shows the record that an entry is about, as a link where it has a page. */
const RecordLink = ({ entry: { entity, entityId } }: { entry: Change }) => {
  if (entityId === null) return null
  if (!hasPage(entity)) return <code className="code">{entityId}</code>
  return (
    <Link to={PAGES[entity]} params={{ id: entityId }} className="text-link">
      {entityText(entity)} <code className="code">{entityId}</code>
    </Link>
  )
}
