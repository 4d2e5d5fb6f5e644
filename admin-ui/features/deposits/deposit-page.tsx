import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconArrowBackUp, IconCheck, IconX } from '@tabler/icons-react'
import { Link, useParams } from '@tanstack/react-router'
import { Loaded } from '../../components/loaded.tsx'
import { Money } from '../../components/money.tsx'
import { MoreMenu } from '../../components/more-menu.tsx'
import { Facts, RecordPage } from '../../components/record-page.tsx'
import { Section } from '../../components/section.tsx'
import { When } from '../../components/when.tsx'
import { subtractDecimal } from '../../lib/decimal.ts'
import { groupDigits, humanize } from '../../lib/format.ts'
import { useCan } from '../../lib/session.ts'
import { useAsked } from '../../lib/use-asked.ts'
import { useRecord } from '../../lib/use-record.ts'
import { GatewayName } from '../gateways/gateway-name.tsx'
import { TraderLink } from '../traders/trader-link.tsx'
import { useStaff } from '../users/users.api.ts'
import { CancelDeposit, Fail, Settle } from './decide-deposit.tsx'
import { DepositStatus } from './deposit-columns.tsx'
import { announcerOf, firstWordText, settlerOf, stepsOf } from './deposit-words.ts'
import { fetchDeposit, type NamedDeposit } from './deposits.api.ts'

/** One deposit: what is known, and the decision about it. */
export const DepositPage = () => {
  const { id = '' } = useParams({ strict: false })
  const deposit = useRecord('deposits', id, fetchDeposit)
  return <Loaded query={deposit}>{(data) => <DepositRecord deposit={data} />}</Loaded>
}

const DIALOGS = { settle: Settle, fail: Fail, cancel: CancelDeposit } as const

const DepositRecord = ({ deposit }: { deposit: NamedDeposit }) => {
  const can = useCan()
  const { asked, record, ask, close } = useAsked<keyof typeof DIALOGS, NamedDeposit>(deposit)
  const Dialog = asked && DIALOGS[asked]
  const { amount, currency, settledAmount } = deposit
  const { nameOf } = useStaff()
  const pending = deposit.status === 'pending'
  const firstWord = firstWordText(deposit, nameOf)
  return (
    <RecordPage
      title={`${groupDigits(amount)} ${currency}`}
      back={{ to: '/deposits', label: 'Deposits' }}
      status={<DepositStatus status={deposit.status} firstWord={deposit.firstWord} />}
      subtitle={
        <>
          {humanize(deposit.method)} deposit of <TraderLink id={deposit.traderId} name={deposit.traderName} />
        </>
      }
      actions={
        pending && (
          <>
            {can('manager') && (
              <Button leftSection={<IconCheck size={16} />} onClick={() => ask('settle')}>
                Settle
              </Button>
            )}
            <MoreMenu
              label={can('manager') ? 'Other decisions' : 'More'}
              wide
              actions={[
                can('operator') && {
                  label: 'Cancel it',
                  icon: <IconArrowBackUp size={16} />,
                  onClick: () => ask('cancel'),
                },
                can('manager') && {
                  label: 'Mark as failed',
                  icon: <IconX size={16} />,
                  danger: true,
                  onClick: () => ask('fail'),
                },
              ]}
            />
          </>
        )
      }
    >
      <Stack gap="md">
        {firstWord && (
          <Alert color="blue" variant="light" title="It waits for a second person">
            {firstWord}, for the same amount.
          </Alert>
        )}
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
              ['Announced by', announcerOf(deposit, nameOf)],
              ['Announced at', <When key="created" at={deposit.createdAt} />],
              ['Settled by', settlerOf(deposit, nameOf) ?? undefined],
              ['Settled at', deposit.settledAt && <When key="at" at={deposit.settledAt} />],
              ['Failed because', deposit.failureReason ?? undefined],
            ]}
          />
        </Section>
        <Section title="Origin">
          <Facts
            items={[
              ['Client', <TraderLink key="trader" id={deposit.traderId} name={deposit.traderName} />],
              ['Method', humanize(deposit.method)],
              ['Reference', deposit.providerReference],
              [
                'Gateway',
                deposit.pspConnectionId ? <GatewayName key="gateway" id={deposit.pspConnectionId} /> : undefined,
              ],
              ['Note', deposit.note],
              [
                'Same reference as',
                deposit.repeatOf ? (
                  <Link key="repeat" to={`/deposits/${deposit.repeatOf}`} className="text-link">
                    {deposit.repeatOf}
                  </Link>
                ) : undefined,
              ],
              ['Id', deposit.id],
            ]}
          />
        </Section>
        <Section title="What happened" flush>
          <ul className="rows">
            {stepsOf(deposit, nameOf).map(({ key, text, at, note }) => (
              <li key={key} className="row">
                <div className="row-main">
                  <div>{text}</div>
                  {note && (
                    <Text size="sm" className="note">
                      {note}
                    </Text>
                  )}
                  {at && (
                    <div className="row-sub">
                      <When at={at} />
                    </div>
                  )}
                </div>
              </li>
            ))}
          </ul>
        </Section>
      </Stack>
      {Dialog && <Dialog deposit={record} onClose={close} />}
    </RecordPage>
  )
}
