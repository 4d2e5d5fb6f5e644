import { Select, type SelectProps, SimpleGrid, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { AmountField } from '../../../components/forms/amount-field.tsx'
import { FormDrawer } from '../../../components/forms/form-modal.tsx'
import { NoteField } from '../../../components/forms/note-field.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { amountRule } from '../../../lib/text/amount-text.ts'
import { choices } from '../../../lib/text/choices.ts'
import { groupDigits } from '../../../lib/text/format.ts'
import { TraderPicker } from '../../clients/traders/trader-picker.tsx'
import { required } from '../../firm/auth/form-rules.ts'
import { fetchWallets } from '../wallets/wallets.api.ts'
import { EarlierDestinations, Eligibility } from './eligibility.tsx'
import { ibanHint } from './iban-hint.ts'
import { DESTINATION_WORDS } from './withdrawal-columns.tsx'
import { createWithdrawal, type NewWithdrawal, type Withdrawal } from './withdrawals.api.ts'
import { say } from './words.ts'

type CreateWithdrawalProps = {
  /** This is set if the client is known already. */
  trader?: { id: string; name: string }
  onClose: () => void
  onDone?: (withdrawal: Withdrawal) => void
}

type Values = {
  traderId: string
  currency: string
  amount: string
  destination: { kind: NewWithdrawal['destination']['kind']; reference: string; holder: string }
  note: string
}

const NOWHERE: Values['destination'] = { kind: 'bank', reference: '', holder: '' }

const REFERENCES: Record<Values['destination']['kind'], string> = {
  bank: say('withdrawals.destination.bank'),
  card: say('withdrawals.destination.card'),
  wallet: say('withdrawals.destination.wallet'),
  crypto: say('common.address'),
}

const useWithdrawalForm = ({ trader, onClose, onDone }: CreateWithdrawalProps) => {
  const refresh = useRefresh()
  const initialValues: Values = {
    traderId: trader?.id ?? '',
    currency: '',
    amount: '',
    destination: NOWHERE,
    note: '',
  }
  return useApiForm({
    initialValues,
    validate: {
      traderId: required(say('common.client.required')),
      currency: required(say('withdrawals.wallet.required')),
      amount: amountRule(),
      destination: { reference: required(say('withdrawals.destination.required')) },
    },
    submit: ({ destination: { kind, reference, holder }, note, ...values }) =>
      createWithdrawal({
        ...values,
        destination: { kind, reference: reference.trim(), ...(holder.trim() && { holder: holder.trim() }) },
        ...(note.trim() && { note: note.trim() }),
      }),
    onDone: (withdrawal: Withdrawal) => {
      notify(say('withdrawals.new.done'))
      void refresh('withdrawals')
      onClose()
      onDone?.(withdrawal)
    },
  })
}

/** Requests a withdrawal on a client's behalf. The amount is held at once. */
export const CreateWithdrawal = (props: CreateWithdrawalProps) => {
  const { trader, onClose } = props
  const state = useWithdrawalForm(props)
  const { getInputProps: field, setValues } = state.form
  const { traderId, currency } = state.form.getValues()
  // Wallet, amount and destination belong to one client, so another client starts with empty ones.
  const chooseTrader = (id: string | null): void =>
    setValues({
      traderId: id ?? '',
      ...(traderId && { currency: '', amount: '', destination: NOWHERE }),
    })
  return (
    <FormDrawer
      state={state}
      title={say('withdrawals.new.title')}
      submitLabel={say('withdrawals.new.submit')}
      opened
      onClose={onClose}
    >
      {trader ? (
        <TextInput label={say('common.client')} value={trader.name} readOnly />
      ) : (
        <TraderPicker data-autofocus {...field('traderId')} value={traderId || null} onChange={chooseTrader} />
      )}
      <Eligibility traderId={traderId} />
      <WalletField
        traderId={traderId}
        onAlone={(alone) => state.form.setFieldValue('currency', alone)}
        {...field('currency')}
        value={currency || null}
      />
      <AmountField
        label={say('common.amount')}
        placeholder={groupDigits('0.00')}
        currency={currency}
        showCurrency
        {...field('amount')}
      />
      <DestinationFields form={state.form} />
      <NoteField {...field('note')} />
    </FormDrawer>
  )
}

/** Asks where the money goes, and says of an account number whether it is an IBAN. */
const DestinationFields = ({ form }: { form: UseFormReturnType<Values> }) => {
  const { getInputProps: field, setValues } = form
  const { traderId, destination } = form.getValues()
  return (
    <>
      <EarlierDestinations
        traderId={traderId}
        onTake={({ kind, reference, holder = '' }) => setValues({ destination: { kind, reference, holder } })}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <Select
          label={say('withdrawals.destination')}
          data={choices(DESTINATION_WORDS)}
          allowDeselect={false}
          {...field('destination.kind')}
        />
        <TextInput
          label={say('withdrawals.holder')}
          placeholder={say('withdrawals.holder.placeholder')}
          {...field('destination.holder')}
        />
      </SimpleGrid>
      <TextInput
        label={REFERENCES[destination.kind]}
        description={destination.kind === 'bank' && ibanHint(destination.reference)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autoComplete="off"
        {...field('destination.reference')}
      />
    </>
  )
}

type WalletFieldProps = SelectProps & {
  traderId: string
  /** Called with the currency of the only wallet that has money. */
  onAlone: (currency: string) => void
}

/** Asks from which wallet of a client the money is taken, and shows what each wallet has. */
const WalletField = ({ traderId, onAlone, ...field }: WalletFieldProps) => {
  const wallets = useQuery({
    queryKey: ['wallets', 'of', traderId],
    queryFn: () => fetchWallets({ traderId, limit: 200 }),
    enabled: traderId !== '',
  })
  const found = wallets.data?.data ?? []
  const [first, second] = found.filter(({ available }) => Number(available) > 0)
  const alone = first && !second ? first.currency : null
  // The only wallet is chosen once for each client, so that the reader can choose another one.
  const told = useRef('')
  useEffect(() => {
    if (alone === null || told.current === traderId) return
    told.current = traderId
    onAlone(alone)
  }, [alone, traderId, onAlone])
  return (
    <>
      <Select
        label={say('withdrawals.wallet')}
        placeholder={traderId ? say('withdrawals.wallet.required') : say('withdrawals.wallet.client_first')}
        disabled={!traderId}
        allowDeselect={false}
        data={found.map((wallet) => ({
          value: wallet.currency,
          label: say('withdrawals.available', { currency: wallet.currency, available: groupDigits(wallet.available) }),
        }))}
        nothingFoundMessage={say('withdrawals.wallet.empty')}
        {...field}
      />
      {traderId && wallets.isSuccess && found.length === 0 && (
        <Text size="sm" c="dimmed">
          {say('withdrawals.wallet.empty_about')}
        </Text>
      )}
    </>
  )
}
