import { Button, Stack } from '@mantine/core'
import { IconCheck, IconScissors, IconX } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { JsonBlock } from '../../components/json-block.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Money } from '../../components/money.tsx'
import { MoreMenu } from '../../components/more-menu.tsx'
import { Facts, RecordPage } from '../../components/record-page.tsx'
import { Section } from '../../components/section.tsx'
import { When } from '../../components/when.tsx'
import { subtractDecimal } from '../../lib/decimal.ts'
import { groupDigits, humanize } from '../../lib/format.ts'
import { useCan } from '../../lib/session.ts'
import { useRecord } from '../../lib/use-record.ts'
import { TraderLink } from '../traders/trader-link.tsx'
import { Fail, Settle, SettlePart } from './decide-deposit.tsx'
import { DepositStatus } from './deposit-columns.tsx'
import { fetchDeposit, type NamedDeposit } from './deposits.api.ts'

/** One deposit: what is known, and the decision about it. */
export const DepositPage = () => {
  const { id = '' } = useParams({ strict: false })
  const deposit = useRecord('deposits', id, fetchDeposit)
  return <Loaded query={deposit}>{(data) => <DepositRecord deposit={data} />}</Loaded>
}

const DIALOGS = { settle: Settle, part: SettlePart, fail: Fail } as const

const DepositRecord = ({ deposit }: { deposit: NamedDeposit }) => {
  const can = useCan()
  const [asked, setAsked] = useState<keyof typeof DIALOGS | null>(null)
  const Dialog = asked && DIALOGS[asked]
  const { amount, currency, settledAmount } = deposit
  const open = deposit.status === 'pending' && can('manager')
  const payload = Object.keys(deposit.providerPayload).length > 0
  return (
    <RecordPage
      title={`${groupDigits(amount)} ${currency}`}
      back={{ to: '/deposits', label: 'Deposits' }}
      status={<DepositStatus status={deposit.status} />}
      subtitle={
        <>
          {humanize(deposit.method)} deposit of <TraderLink id={deposit.traderId} name={deposit.traderName} />
        </>
      }
      actions={
        open && (
          <>
            <Button leftSection={<IconCheck size={16} />} onClick={() => setAsked('settle')}>
              Settle
            </Button>
            <MoreMenu
              label="Other decisions"
              wide
              actions={[
                { label: 'Settle a smaller amount', icon: <IconScissors size={16} />, onClick: () => setAsked('part') },
                { label: 'Mark as failed', icon: <IconX size={16} />, danger: true, onClick: () => setAsked('fail') },
              ]}
            />
          </>
        )
      }
    >
      <Stack gap="md">
        <Section title="Money">
          <Facts
            items={[
              ['Announced', <Money key="amount" amount={amount} currency={currency} />],
              ['Settled', settledAmount && <Money key="settled" amount={settledAmount} currency={currency} />],
              [
                'Missing',
                deposit.status === 'partially_settled' && settledAmount ? (
                  <Money key="missing" amount={subtractDecimal(amount, settledAmount)} currency={currency} />
                ) : undefined,
              ],
              ['Announced at', <When key="created" at={deposit.createdAt} />],
              ['Settled at', deposit.settledAt && <When key="at" at={deposit.settledAt} />],
              ['Failed because', deposit.failureReason ?? undefined],
            ]}
          />
        </Section>
        <Section title="Origin">
          <Facts
            items={[
              ['Trader', <TraderLink key="trader" id={deposit.traderId} name={deposit.traderName} />],
              ['Method', humanize(deposit.method)],
              ['Reference', deposit.providerReference],
              ['Gateway', deposit.pspConnectionId],
              ['Note', deposit.note],
              ['Id', deposit.id],
            ]}
          />
        </Section>
        {payload && (
          <Section title="Record of the payment" description="What the gateway or a colleague added to it.">
            <JsonBlock value={deposit.providerPayload} label="Record of the payment" />
          </Section>
        )}
      </Stack>
      {Dialog && <Dialog deposit={deposit} onClose={() => setAsked(null)} />}
    </RecordPage>
  )
}
