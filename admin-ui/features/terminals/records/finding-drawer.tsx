import { Button, Stack, Text } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { RecordDrawer } from '../../../components/page/record-drawer.tsx'
import { Facts } from '../../../components/page/record-page.tsx'
import { Labels } from '../../../components/show/labels.tsx'
import { When } from '../../../components/show/moment.tsx'
import { Money } from '../../../components/show/money.tsx'
import { useStaff } from '../../firm/users/users.api.ts'
import { DealState, isDealState, nameDealField } from './deal-words.tsx'
import { FINDING_KINDS, FINDING_TEXTS, FindingState } from './finding-words.tsx'
import { LoginLink } from './login-link.tsx'
import type { Finding } from './records.api.ts'
import { say } from './words.ts'

type FindingDrawerProps = {
  finding: Finding
  /** The name of its trading server; left out on the page of that server. */
  server: string | undefined
  onAsk: () => void
  onClose: () => void
}

/** Shows one finding: what it means, what it is about, and who closed it why. */
export const FindingDrawer = ({ finding, server, onAsk, onClose }: FindingDrawerProps) => {
  const { findStaffName } = useStaff()
  const { kind, state, amount, currency, connectionId, transferId } = finding
  const isClosed = state === 'closed'
  return (
    <RecordDrawer opened onClose={onClose} title={FINDING_KINDS[kind]}>
      <Stack gap="md" align="flex-start">
        <Text size="sm">{FINDING_TEXTS[kind]}</Text>
        <Facts
          items={[
            [say('common.state'), <FindingState key="state" state={state} />],
            [say('terminals.finding.found'), <When key="found" at={finding.createdAt} />],
            [
              say('terminals.record.server'),
              server === undefined ? undefined : (
                <Link key="server" to="/platforms/$id" params={{ id: connectionId }} className="text-link">
                  {server}
                </Link>
              ),
            ],
            [
              say('terminals.record.login'),
              finding.login === null ? undefined : (
                <LoginLink key="login" connectionId={connectionId} login={finding.login} />
              ),
            ],
            [say('terminals.finding.subject'), finding.subject === '' ? undefined : finding.subject],
            [
              say('terminals.finding.amount'),
              amount === null ? undefined : <Money key="amount" amount={amount} currency={currency} />,
            ],
            ...listDetail(finding),
            [
              say('terminals.finding.transfer'),
              transferId === null ? undefined : (
                <Link key="transfer" to="/transfers" search={{ q: transferId }} className="text-link">
                  {say('terminals.finding.transfer_open')}
                </Link>
              ),
            ],
            [say('terminals.finding.closed_at'), isClosed ? <When key="closed" at={finding.closedAt} /> : undefined],
            [say('terminals.finding.closed_by'), isClosed ? nameCloser(finding, findStaffName) : undefined],
            [say('common.reason'), finding.reason ?? undefined],
          ]}
        />
        {!isClosed && (
          <Button leftSection={<IconCheck size={16} />} onClick={onAsk}>
            {say('terminals.finding.close')}
          </Button>
        )}
      </Stack>
    </RecordDrawer>
  )
}

/** Returns what is known of a finding beside its figures: what was changed of a deal, by how much a clock is wrong. */
function listDetail({ kind, detail }: Finding): (readonly [label: string, value: ReactNode])[] {
  const { state, fields, seconds } = detail
  if (kind === 'clock' && seconds !== undefined)
    return [[say('terminals.finding.wrong_by'), say('terminals.finding.seconds', { seconds: Number(seconds) })]]
  if (kind !== 'deal_changed' || fields === undefined) return []
  return [
    [say('terminals.finding.deal'), isDealState(state) ? <DealState key="deal" state={state} /> : undefined],
    [
      say('terminals.finding.changed'),
      <Labels key="changed" values={fields.split(',').map((field) => nameDealField(field))} />,
    ],
  ]
}

/** Says who closed a finding, or that it was no more. */
const nameCloser = ({ healed, closedBy }: Finding, findName: (id: string | null) => string | null): string | null =>
  healed ? say('terminals.finding.healed') : findName(closedBy)
