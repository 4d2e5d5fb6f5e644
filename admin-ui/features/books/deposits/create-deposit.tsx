import { Alert, Checkbox, type CheckboxProps, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { AmountField } from '../../../components/forms/amount-field.tsx'
import { FormDrawer } from '../../../components/forms/form-modal.tsx'
import { CurrencyField } from '../../../components/forms/money-fields.tsx'
import { NoteField } from '../../../components/forms/note-field.tsx'
import { isApiError } from '../../../lib/api/http.ts'
import { notify } from '../../../lib/api/notify.tsx'
import { useCan, useMe } from '../../../lib/api/session.ts'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { amountRule } from '../../../lib/text/amount-text.ts'
import { choices } from '../../../lib/text/choices.ts'
import { groupDigits } from '../../../lib/text/format.ts'
import { TraderPicker } from '../../clients/traders/trader-picker.tsx'
import { required } from '../../firm/auth/form-rules.ts'
import { Settle } from './decide-deposit.tsx'
import { METHOD_WORDS } from './deposit-columns.tsx'
import { namedDeposit } from './deposit-words.ts'
import { createDeposit, type Deposit, fetchDeposit, type NamedDeposit, type NewDeposit } from './deposits.api.ts'
import { say, tell } from './words.ts'

type CreateDepositProps = {
  /** This is set if the client is known already. */
  trader?: { id: string; name: string }
  onClose: () => void
  onDone?: (deposit: Deposit) => void
}

type Values = Required<
  Pick<NewDeposit, 'traderId' | 'amount' | 'currency' | 'method' | 'providerReference' | 'note'>
> & { another: boolean; settle: boolean }

/** The server says that the deposit `id` was credited with this reference before. */
type Credited = { id: string; reference: string }

const announce = ({ providerReference, note, another: _, settle: __, ...rest }: Values, repeatOf: string | null) =>
  createDeposit({
    ...rest,
    ...(providerReference.trim() && { providerReference: providerReference.trim() }),
    ...(note.trim() && { note: note.trim() }),
    ...(repeatOf && { repeatOf }),
  })

type Announced = { deposit: Deposit; toSettle: NamedDeposit | null }

/** Sets up the form of a deposit, and keeps the deposit that was credited with the same reference before. */
const useDepositForm = (traderId: string, onDone: (announced: Announced) => void) => {
  const refresh = useRefresh()
  const { currency } = useMe().tenant
  const [credited, setCredited] = useState<Credited | null>(null)
  const repeats = (values: Values): string | null =>
    values.another && credited?.reference === values.providerReference ? credited.id : null
  const initialValues: Values = {
    traderId,
    amount: '',
    currency,
    method: 'bank',
    providerReference: '',
    note: '',
    another: false,
    settle: false,
  }
  const state = useApiForm({
    initialValues,
    validate: {
      traderId: required(say('common.client.required')),
      amount: amountRule(),
      currency: required(say('common.currency.required')),
      note: (note: string, values: Values) =>
        repeats(values) && !note.trim() ? say('deposits.repeat.note_required') : null,
    },
    submit: async (values): Promise<Announced> => {
      try {
        const deposit = await announce(values, repeats(values))
        // The deposit exists by now. If this read threw, the reader would believe otherwise and create it again.
        return { deposit, toSettle: values.settle ? await fetchDeposit(deposit.id).catch(() => null) : null }
      } catch (error) {
        const id = isApiError(error) && error.problem.code === 'reference_used' && namedDeposit(error.problem.detail)
        if (id) setCredited({ id, reference: values.providerReference })
        throw error
      }
    },
    onDone: (announced) => {
      notify(say('deposits.new.done'))
      void refresh('deposits')
      onDone(announced)
    },
  })
  return { state, credited: credited?.reference === state.form.getValues().providerReference ? credited : null }
}

/**
 * Creates a deposit on a client's behalf. It is pending until it is settled; a manager who sees that the money has
 * arrived can go on to settle it.
 */
export const CreateDeposit = ({ trader, onClose, onDone }: CreateDepositProps) => {
  const can = useCan()
  const [made, setMade] = useState<NamedDeposit | null>(null)
  const leave = (deposit: Deposit): void => {
    onClose()
    onDone?.(deposit)
  }
  const { state, credited } = useDepositForm(trader?.id ?? '', ({ deposit, toSettle }) =>
    toSettle ? setMade(toSettle) : leave(deposit),
  )
  if (made) return <Settle deposit={made} onClose={() => leave(made)} />
  const field = state.form.getInputProps
  return (
    <FormDrawer
      state={state}
      title={say('deposits.new.title')}
      submitLabel={say('deposits.new.submit')}
      opened
      onClose={onClose}
    >
      {trader ? (
        <TextInput label={say('common.client')} value={trader.name} readOnly />
      ) : (
        <TraderPicker data-autofocus {...field('traderId')} />
      )}
      <SimpleGrid cols={2} spacing="sm">
        <AmountField
          label={say('common.amount')}
          placeholder={groupDigits('0.00')}
          {...(trader && { 'data-autofocus': true })}
          currency={state.form.getValues().currency}
          {...field('amount')}
        />
        <CurrencyField {...field('currency')} />
      </SimpleGrid>
      <Select label={say('deposits.method')} data={choices(METHOD_WORDS)} allowDeselect={false} {...field('method')} />
      <TextInput
        label={say('common.reference')}
        description={say('deposits.reference.hint')}
        {...field('providerReference')}
      />
      {credited && <SameReference id={credited.id} another={field('another', { type: 'checkbox' })} />}
      <NoteField {...field('note')} />
      {can('manager') && (
        <Checkbox
          label={say('deposits.settle.next.title')}
          description={say('deposits.settle.next.about')}
          {...field('settle', { type: 'checkbox' })}
        />
      )}
    </FormDrawer>
  )
}

/** Warns that the reference was credited before, and lets the reader say that this is another payment. */
const SameReference = ({ id, another }: { id: string; another: CheckboxProps }) => (
  <Alert color="yellow" variant="light" title={say('deposits.repeat.title')}>
    <Stack gap="xs">
      <span>
        {tell('deposits.repeat.about', {
          link: (
            <Link to="/deposits/$id" params={{ id }}>
              {say('deposits.repeat.link')}
            </Link>
          ),
        })}
      </span>
      <Checkbox label={say('deposits.repeat.label')} description={say('deposits.repeat.hint')} {...another} />
    </Stack>
  </Alert>
)
