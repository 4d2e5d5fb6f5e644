import { Alert, Text, Textarea } from '@mantine/core'
import type { ReactNode } from 'react'
import { AmountField } from '../../../components/forms/amount-field.tsx'
import { Confirm } from '../../../components/forms/confirm.tsx'
import { FormModal } from '../../../components/forms/form-modal.tsx'
import { Money } from '../../../components/show/money.tsx'
import { WhatIs } from '../../../components/show/what-is.tsx'
import { useMe } from '../../../lib/api/session.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { useDecided } from '../../../lib/forms/use-decided.ts'
import { amountRule } from '../../../lib/text/amount-text.ts'
import { compareDecimal, isDecimal, subtractDecimal } from '../../../lib/text/decimal.ts'
import { shownName } from '../../clients/traders/trader-names.ts'
import { required } from '../../firm/auth/form-rules.ts'
import { useStaff } from '../../firm/users/users.api.ts'
import { describeSettled, firstApprovalText, predictEffect, whoseDeposit } from './deposit-words.ts'
import { cancelDeposit, failDeposit, type NamedDeposit, settleDeposit, settlePart } from './deposits.api.ts'
import { say, tell } from './words.ts'

type DecideProps = { deposit: NamedDeposit; onClose: () => void; onDecided?: () => void }

/** Shows the first approval, and what the viewer's approval does after it. */
const FirstApproval = ({ deposit }: { deposit: NamedDeposit }) => {
  const me = useMe()
  const { findStaffName } = useStaff()
  const text = firstApprovalText(deposit, findStaffName)
  if (!text || !deposit.firstWord) return null
  return (
    <Alert color="blue" variant="light" mb="sm">
      {deposit.firstWord.by === me.id
        ? say('deposits.settle.own_first')
        : say('deposits.settle.second', { first: text })}
    </Alert>
  )
}

type EffectProps = { deposit: NamedDeposit; arrived: string; credited: ReactNode; children: ReactNode }

/** Says what the viewer's approval will do, as far as the console can predict it; the server decides. */
const Effect = ({ deposit, arrived, credited, children }: EffectProps) => {
  const effect = predictEffect(deposit, arrived, useMe().id)
  return (
    <>
      <FirstApproval deposit={deposit} />
      {effect && (
        <Text size="sm">
          {tell(EFFECTS[effect], { credited, client: <b>{deposit.traderName}</b> })} {children}
        </Text>
      )}
    </>
  )
}

const EFFECTS = {
  credits: 'deposits.effect.credits',
  credits_or_refused: 'deposits.effect.credits_or_refused',
  credits_or_first: 'deposits.effect.credits_or_first',
} as const satisfies Record<NonNullable<ReturnType<typeof predictEffect>>, string>

const arrivedRule =
  (amount: string) =>
  (text: string): string | null => {
    const fault = amountRule(say('deposits.settle.amount_required'))(text)
    if (fault) return fault
    return compareDecimal(text, amount) > 0 ? say('deposits.settle.amount_too_much') : null
  }

/** Settles a deposit: in full, as the form assumes, or in part, for example when a bank took fees from a wire. */
export const Settle = ({ deposit, onClose, onDecided }: DecideProps) => {
  const { reload, done } = useDecided('deposits', onClose, onDecided)
  const { amount, currency } = deposit
  const isAll = (text: string): boolean => compareDecimal(text, amount) === 0
  const state = useApiForm({
    initialValues: { settledAmount: amount, notes: '' },
    validate: { settledAmount: arrivedRule(amount) },
    submit: ({ settledAmount, notes }) =>
      isAll(settledAmount)
        ? settleDeposit(deposit)
        : settlePart(deposit, { settledAmount, ...(notes.trim() && { notes: notes.trim() }) }),
    onDone: (after) => done(describeSettled(after, shownName(deposit.traderName)), `/deposits/${deposit.id}`),
  })
  const arrived = state.form.getValues().settledAmount
  const known = arrivedRule(amount)(arrived) === null
  const isShort = known && !isAll(arrived)
  const isOver = isDecimal(arrived) && compareDecimal(arrived, amount) > 0
  return (
    <FormModal
      state={state}
      title={say('deposits.settle.title')}
      submitLabel={isShort || isOver ? say('deposits.settle.submit_part') : say('deposits.settle.submit_full')}
      isBarred={isOver}
      opened
      onClose={onClose}
      onReload={reload}
    >
      <Effect
        deposit={deposit}
        arrived={known ? arrived : '0'}
        credited={known ? <Money amount={arrived} currency={currency} fw={600} /> : say('deposits.settle.no_amount')}
      >
        {say('deposits.settle.warning')}
      </Effect>
      <AmountField
        label={say('deposits.settle.amount_label')}
        currency={currency}
        showCurrency
        data-autofocus
        onFocus={(event) => event.currentTarget.select()}
        {...state.form.getInputProps('settledAmount')}
      />
      {isOver && <Excess deposit={deposit} arrived={arrived} />}
      {isShort && (
        <>
          <Shortfall deposit={deposit} arrived={arrived} />
          <Textarea
            label={say('common.note')}
            description={say('deposits.settle.note_hint')}
            autosize
            minRows={2}
            {...state.form.getInputProps('notes')}
          />
        </>
      )}
    </FormModal>
  )
}

type ArrivedProps = Pick<DecideProps, 'deposit'> & { arrived: string }

/** Says how much more than announced arrived, and what to do with it. */
const Excess = ({ deposit: { amount, currency }, arrived }: ArrivedProps) => (
  <Text size="sm" role="status">
    {tell('deposits.settle.over', {
      more: <Money amount={subtractDecimal(arrived, amount)} currency={currency} fw={600} />,
      amount: <Money amount={amount} currency={currency} />,
    })}
  </Text>
)

/** Says how much is missing if less arrived, and explains a settlement in part. */
const Shortfall = ({ deposit: { amount, currency }, arrived }: ArrivedProps) => (
  <Text size="sm" role="status">
    {tell('deposits.settle.short', {
      missing: <Money amount={subtractDecimal(amount, arrived)} currency={currency} fw={600} />,
      amount: <Money amount={amount} currency={currency} />,
    })}
    <WhatIs term="partial" label={say('parts.status.partially_settled')} />
  </Text>
)

/** Cancels a pending deposit. */
export const CancelDeposit = ({ deposit, onClose }: DecideProps) => {
  const { reload, done } = useDecided('deposits', onClose)
  return (
    <Confirm
      title={say('deposits.cancel.title')}
      confirmLabel={say('deposits.cancel.submit')}
      closeLabel={say('deposits.cancel.keep')}
      opened
      onClose={onClose}
      onReload={reload}
      action={() => cancelDeposit(deposit).then(() => done(say('deposits.cancel.done', whoseDeposit(deposit))))}
    >
      {tell('deposits.cancel.about', {
        amount: <Money amount={deposit.amount} currency={deposit.currency} fw={600} />,
        traderName: <b>{deposit.traderName}</b>,
      })}
    </Confirm>
  )
}

/** Marks a deposit as failed because the money will not come. */
export const Fail = ({ deposit, onClose, onDecided }: DecideProps) => {
  const { reload, done } = useDecided('deposits', onClose, onDecided)
  const state = useApiForm({
    initialValues: { reason: '' },
    validate: { reason: required(say('deposits.fail.reason_required')) },
    submit: ({ reason }) => failDeposit(deposit, reason.trim()),
    onDone: () => done(say('deposits.fail.done', whoseDeposit(deposit))),
  })
  return (
    <FormModal
      state={state}
      title={say('deposits.fail.title')}
      submitLabel={say('deposits.fail.title')}
      danger
      opened
      onClose={onClose}
      onReload={reload}
    >
      <Text size="sm">
        {tell('deposits.fail.about', {
          amount: <Money amount={deposit.amount} currency={deposit.currency} fw={600} />,
          traderName: <b>{deposit.traderName}</b>,
        })}
      </Text>
      <Textarea
        label={say('common.reason')}
        description={say('deposits.fail.reason_hint')}
        autosize
        minRows={2}
        data-autofocus
        {...state.form.getInputProps('reason')}
      />
    </FormModal>
  )
}
