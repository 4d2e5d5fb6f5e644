import { Alert, Text, Textarea } from '@mantine/core'
import type { ReactNode } from 'react'
import { AmountField } from '../../components/amount-field.tsx'
import { Confirm } from '../../components/confirm.tsx'
import { FormModal } from '../../components/form-modal.tsx'
import { Money } from '../../components/money.tsx'
import { amountRule } from '../../lib/amount-text.ts'
import { compareDecimal, subtractDecimal } from '../../lib/decimal.ts'
import { useMe } from '../../lib/session.ts'
import { useApiForm } from '../../lib/use-api-form.ts'
import { useDecided } from '../../lib/use-decided.ts'
import { required } from '../auth/rules.ts'
import { useStaff } from '../users/users.api.ts'
import { effectOf, firstWordText, settledWords } from './deposit-words.ts'
import { cancelDeposit, failDeposit, type NamedDeposit, settleDeposit, settlePart } from './deposits.api.ts'

type DecideProps = { deposit: NamedDeposit; onClose: () => void }

/** What a first person said, and what the viewer's word will be beside it. */
const FirstWord = ({ deposit }: { deposit: NamedDeposit }) => {
  const me = useMe()
  const { nameOf } = useStaff()
  const text = firstWordText(deposit, nameOf)
  if (!text || !deposit.firstWord) return null
  return (
    <Alert color="blue" variant="light" mb="sm">
      {deposit.firstWord.by === me.id
        ? 'You gave the first word on this deposit: somebody else settles it for the same amount.'
        : `${text}. Your word for the same amount credits it; for another amount it begins anew.`}
    </Alert>
  )
}

type EffectProps = { deposit: NamedDeposit; arrived: string; credited: ReactNode; children: ReactNode }

/** What the viewer's word will do, as far as anybody but the server can know. */
const Effect = ({ deposit, arrived, credited, children }: EffectProps) => {
  const effect = effectOf(deposit, arrived, useMe().id)
  return (
    <>
      <FirstWord deposit={deposit} />
      {effect && (
        <Text size="sm">
          {credited} is credited to the wallet of <b>{deposit.traderName}</b>
          {UNLESS[effect]} {children}
        </Text>
      )}
    </>
  )
}

const UNLESS: Record<NonNullable<ReturnType<typeof effectOf>>, string> = {
  credits: '.',
  credits_or_refused: ', unless it takes two people: you announced it, so somebody else has to settle it then.',
  credits_or_first: ', unless it takes two people: your word is then kept as the first of two.',
}

const arrivedRule =
  (amount: string) =>
  (text: string): string | null => {
    const fault = amountRule('Enter the amount that arrived')(text)
    if (fault) return fault
    return compareDecimal(text, amount) > 0 ? 'No more than announced can be settled' : null
  }

/** The money arrived: all of it, as the form supposes, or less, as with a bank wire that lost its fees. */
export const Settle = ({ deposit, onClose }: DecideProps) => {
  const { reload, done } = useDecided('deposits', onClose)
  const { amount, currency } = deposit
  const isAll = (text: string): boolean => compareDecimal(text, amount) === 0
  const state = useApiForm({
    initialValues: { settledAmount: amount, notes: '' },
    validate: { settledAmount: arrivedRule(amount) },
    submit: ({ settledAmount, notes }) =>
      isAll(settledAmount)
        ? settleDeposit(deposit)
        : settlePart(deposit, { settledAmount, ...(notes.trim() && { notes: notes.trim() }) }),
    onDone: (after) => done(settledWords(after)),
  })
  const arrived = state.form.getValues().settledAmount
  const known = arrivedRule(amount)(arrived) === null
  const isShort = known && !isAll(arrived)
  return (
    <FormModal
      state={state}
      title="Settle this deposit"
      submitLabel={isShort ? 'Settle this amount' : 'Settle in full'}
      opened
      onClose={onClose}
      onReload={reload}
    >
      <Effect
        deposit={deposit}
        arrived={known ? arrived : '0'}
        credited={known ? <Money amount={arrived} currency={currency} fw={600} /> : 'The amount that arrived'}
      >
        What is credited cannot be taken back.
      </Effect>
      <AmountField
        label="Amount that arrived"
        currency={currency}
        showCurrency
        data-autofocus
        onFocus={(event) => event.currentTarget.select()}
        {...state.form.getInputProps('settledAmount')}
      />
      {isShort && (
        <>
          <Text size="sm" role="status">
            <Money amount={subtractDecimal(amount, arrived)} currency={currency} fw={600} /> of the announced{' '}
            <Money amount={amount} currency={currency} /> is missing. The deposit is closed all the same.
          </Text>
          <Textarea
            label="Note"
            description="Why it is short; kept with the deposit"
            autosize
            minRows={2}
            {...state.form.getInputProps('notes')}
          />
        </>
      )}
    </FormModal>
  )
}

/** Taken back while nothing came of it. */
export const CancelDeposit = ({ deposit, onClose }: DecideProps) => {
  const { reload, done } = useDecided('deposits', onClose)
  return (
    <Confirm
      title="Cancel this deposit"
      confirmLabel="Cancel deposit"
      closeLabel="Keep it"
      opened
      onClose={onClose}
      onReload={reload}
      action={() => cancelDeposit(deposit).then(() => done('Deposit cancelled.'))}
    >
      The announcement of <Money amount={deposit.amount} currency={deposit.currency} fw={600} /> of{' '}
      <b>{deposit.traderName}</b> is taken back. Nothing is credited.
    </Confirm>
  )
}

/** The money will not come. */
export const Fail = ({ deposit, onClose }: DecideProps) => {
  const { reload, done } = useDecided('deposits', onClose)
  const state = useApiForm({
    initialValues: { reason: '' },
    validate: { reason: required('Say why it failed') },
    submit: ({ reason }) => failDeposit(deposit, reason.trim()),
    onDone: () => done('Deposit marked as failed.'),
  })
  return (
    <FormModal
      state={state}
      title="Mark as failed"
      submitLabel="Mark as failed"
      danger
      opened
      onClose={onClose}
      onReload={reload}
    >
      <Text size="sm">
        Nothing is credited for <Money amount={deposit.amount} currency={deposit.currency} fw={600} /> of{' '}
        <b>{deposit.traderName}</b>.
      </Text>
      <Textarea
        label="Reason"
        description="The client reads this"
        autosize
        minRows={2}
        data-autofocus
        {...state.form.getInputProps('reason')}
      />
    </FormModal>
  )
}
