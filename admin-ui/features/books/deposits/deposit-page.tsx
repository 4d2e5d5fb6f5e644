import { Alert, Stack, Text } from '@mantine/core'
import { IconArrowBackUp, IconCheck, IconX } from '@tabler/icons-react'
import { Link, useParams } from '@tanstack/react-router'
import { ActButton } from '../../../components/page/act-button.tsx'
import { Loaded } from '../../../components/page/loaded.tsx'
import { MoreMenu } from '../../../components/page/more-menu.tsx'
import { Facts, RecordPage } from '../../../components/page/record-page.tsx'
import { Section } from '../../../components/page/section.tsx'
import { type KeyFigure, KeyFigures } from '../../../components/show/key-figures.tsx'
import { When } from '../../../components/show/moment.tsx'
import { Money } from '../../../components/show/money.tsx'
import { WhatIs } from '../../../components/show/what-is.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { useRecord } from '../../../lib/api/use-record.ts'
import { useAsked } from '../../../lib/forms/use-asked.ts'
import { useScreenKeys } from '../../../lib/screen/screen-keys.ts'
import { subtractDecimal } from '../../../lib/text/decimal.ts'
import { groupDigits } from '../../../lib/text/format.ts'
import { TraderLink } from '../../clients/traders/trader-link.tsx'
import { type FindStaffName, useStaff } from '../../firm/users/users.api.ts'
import { ClientContext } from './client-context.tsx'
import { CancelDeposit, Fail, Settle } from './decide-deposit.tsx'
import { DepositStatus, METHOD_WORDS } from './deposit-columns.tsx'
import { describeAnnouncer, describeSettler, firstApprovalText, listSteps } from './deposit-words.ts'
import { fetchDeposit, type NamedDeposit } from './deposits.api.ts'
import { GatewayName } from './gateway-name.tsx'
import { say, tell } from './words.ts'

/** Shows one deposit and the decision about it. */
export const DepositPage = () => {
  const { id = '' } = useParams({ strict: false })
  return <OpenDeposit id={id} />
}

/** Shows a deposit on its page, or beside the list. */
export const OpenDeposit = ({ id }: { id: string }) => {
  const deposit = useRecord('deposits', id, fetchDeposit)
  return <Loaded query={deposit}>{(data) => <DepositRecord deposit={data} />}</Loaded>
}

const DIALOGS = { settle: Settle, fail: Fail, cancel: CancelDeposit } as const
type Dialog = keyof typeof DIALOGS

const DepositRecord = ({ deposit }: { deposit: NamedDeposit }) => {
  const { asked, record, ask, close } = useAsked<Dialog, NamedDeposit>(deposit)
  const Dialog = asked && DIALOGS[asked]
  const can = useCan()
  const { findStaffName } = useStaff()
  const firstApproval = firstApprovalText(deposit, findStaffName)
  return (
    <RecordPage
      title={`${groupDigits(deposit.amount)} ${deposit.currency}`}
      back={{ to: '/deposits', label: say('deposits.deposits') }}
      status={
        <>
          <DepositStatus status={deposit.status} firstWord={deposit.firstWord} />
          {deposit.firstWord && <WhatIs term="first_approval" label={say('deposits.first_word')} />}
          {deposit.status === 'partially_settled' && (
            <WhatIs term="partial" label={say('parts.status.partially_settled')} />
          )}
        </>
      }
      subtitle={tell('deposits.deposit', {
        method: METHOD_WORDS[deposit.method],
        client: <TraderLink id={deposit.traderId} name={deposit.traderName} />,
      })}
      actions={deposit.status === 'pending' && <Acts onAsk={ask} />}
    >
      {firstApproval && (
        <Alert color="blue" variant="light" mb="md" title={say('deposits.waits.title')}>
          {say('deposits.waits.about', { firstWord: firstApproval })}
        </Alert>
      )}
      {deposit.status === 'pending' && !can('manager') && (
        <Alert color="gray" variant="light" mb="md">
          {say('deposits.settle.who')}
        </Alert>
      )}
      <KeyFigures label={say('deposits.figures')} items={buildFigures(deposit, findStaffName)} />
      <div className="workplace">
        <Stack gap="md">
          <Steps deposit={deposit} />
          <ClientContext deposit={deposit} />
        </Stack>
        <div className="client-facts">
          <Origin deposit={deposit} />
        </div>
      </div>
      {Dialog && <Dialog deposit={record} onClose={close} />}
    </RecordPage>
  )
}

/** Shows the buttons for the decisions about a pending deposit. */
const Acts = ({ onAsk }: { onAsk: (dialog: Dialog) => void }) => {
  const can = useCan()
  useScreenKeys(can('manager') ? [{ key: 'r', does: say('deposits.fail.title'), act: () => onAsk('fail') }] : [])
  return (
    <>
      {can('manager') && (
        <ActButton hotkey="s" leftSection={<IconCheck size={16} />} onClick={() => onAsk('settle')}>
          {say('deposits.settle')}
        </ActButton>
      )}
      <MoreMenu
        label={can('manager') ? say('deposits.decisions.label') : say('common.more')}
        wide
        actions={[
          can('operator') && {
            label: say('deposits.cancel.action'),
            icon: <IconArrowBackUp size={16} />,
            onClick: () => onAsk('cancel'),
          },
          can('manager') && {
            label: say('deposits.fail.title'),
            icon: <IconX size={16} />,
            danger: true,
            onClick: () => onAsk('fail'),
          },
        ]}
      />
    </>
  )
}

/** Lists the created, the settled and the missing amount, with who reported them and when. */
const buildFigures = (deposit: NamedDeposit, findStaffName: FindStaffName): KeyFigure[] => {
  const { amount, currency, settledAmount, settledAt, createdAt, status } = deposit
  const money = (text: string) => <Money amount={text} currency={currency} />
  const by = (name: string | null, at: string) => (
    <>
      {name} · <When at={at} />
    </>
  )
  const figures: KeyFigure[] = [
    {
      label: say('deposits.announced'),
      value: money(amount),
      note: by(describeAnnouncer(deposit, findStaffName), createdAt),
    },
    {
      label: say('deposits.settled'),
      value: settledAmount ? money(settledAmount) : <span className="dim">{say('deposits.settled.none')}</span>,
      note: settledAt && by(describeSettler(deposit, findStaffName), settledAt),
    },
  ]
  if (status === 'partially_settled' && settledAmount)
    figures.push({ label: say('deposits.missing'), value: money(subtractDecimal(amount, settledAmount)) })
  return figures
}

/** Shows where the money came from, with the references and notes about it. */
const Origin = ({ deposit }: { deposit: NamedDeposit }) => {
  const { traderId, traderName, method, providerReference, pspConnectionId, failureReason, note, repeatOf } = deposit
  return (
    <Section title={say('deposits.origin')}>
      <Facts
        items={[
          [say('common.client'), <TraderLink key="trader" id={traderId} name={traderName} />],
          [say('deposits.method'), METHOD_WORDS[method]],
          [say('common.reference'), providerReference, { copy: providerReference }],
          [say('deposits.gateway'), pspConnectionId ? <GatewayName key="gateway" id={pspConnectionId} /> : undefined],
          [say('deposits.failure.label'), failureReason ?? undefined],
          [say('common.note'), note],
          [
            say('deposits.repeat.of'),
            repeatOf ? (
              <Link key="repeat" to="/deposits/$id" params={{ id: repeatOf }} className="text-link">
                {repeatOf}
              </Link>
            ) : undefined,
          ],
          [say('deposits.id'), <code key="id">{deposit.id}</code>, { copy: deposit.id }],
        ]}
      />
    </Section>
  )
}

/** Lists what happened to the deposit, in sentences. */
const Steps = ({ deposit }: { deposit: NamedDeposit }) => {
  const { findStaffName } = useStaff()
  return (
    <Section title={say('deposits.history.title')} flush>
      <ul className="rows">
        {listSteps(deposit, findStaffName).map(({ key, text, at, note }) => (
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
  )
}
