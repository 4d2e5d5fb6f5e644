import { NumberInput, SimpleGrid, Text, TextInput } from '@mantine/core'
import { FormDrawer } from '../../../components/forms/form-modal.tsx'
import { useToldChange } from '../../../components/forms/use-undo.ts'
import { useDialogForm } from '../../../lib/forms/use-dialog-form.ts'
import { required } from '../../firm/auth/form-rules.ts'
import { type Server, updateServer } from './servers.api.ts'
import { say } from './words.ts'

type Name = 'deals' | 'positions' | 'accounts' | 'prices'
const PACE: Record<Name, string> = {
  deals: say('terminals.pace.deals'),
  positions: say('terminals.pace.positions'),
  accounts: say('terminals.pace.accounts'),
  prices: say('terminals.pace.prices'),
}
/** The ranges that the server takes. */
const RANGES: Record<Name | 'requestsPerSecond', readonly [min: number, max: number]> = {
  deals: [5, 60],
  positions: [10, 300],
  accounts: [30, 600],
  prices: [5, 3600],
  requestsPerSecond: [1, 50],
}
const NAMES = ['deals', 'positions', 'accounts', 'prices'] as const
const LABELS = { name: say('common.name'), ...PACE, requestsPerSecond: say('terminals.pace.requests') }

const toFlat = ({ name, readEvery, requestsPerSecond }: Server) => ({ name, ...readEvery, requestsPerSecond })
type Values = ReturnType<typeof toFlat>
const toBody = ({ name, requestsPerSecond, ...readEvery }: Values) => ({
  name: name.trim(),
  readEvery: {
    deals: Number(readEvery.deals),
    positions: Number(readEvery.positions),
    accounts: Number(readEvery.accounts),
    prices: Number(readEvery.prices),
  },
  requestsPerSecond: Number(requestsPerSecond),
})

const inRange =
  (name: keyof typeof RANGES) =>
  (value: unknown): string | null => {
    const [min, max] = RANGES[name]
    const number = value === '' ? Number.NaN : Number(value)
    return Number.isInteger(number) && number >= min && number <= max ? null : say('terminals.pace.range', { min, max })
  }

/** Changes the name of a connection and how often it reads, which counts at once. */
export const EditPace = ({ server, onClose }: { server: Server; onClose: () => void }) => {
  const tellChange = useToldChange('platforms')
  const before = toFlat(server)
  const { field, dialog, reload } = useDialogForm({
    initialValues: before,
    validate: {
      name: required(say('terminals.form.needed')),
      deals: inRange('deals'),
      positions: inRange('positions'),
      accounts: inRange('accounts'),
      prices: inRange('prices'),
      requestsPerSecond: inRange('requestsPerSecond'),
    },
    submit: (values) => updateServer(server, toBody(values)),
    done: (saved: Server) =>
      tellChange({
        before,
        after: toFlat(saved),
        undo: () => updateServer(saved, toBody(before)),
        done: say('terminals.pace.saved'),
        labels: LABELS,
      }),
    reads: 'platforms',
    onClose,
  })
  return (
    <FormDrawer {...dialog} title={server.name} submitLabel={say('common.save')} onReload={reload}>
      <TextInput label={say('common.name')} data-autofocus {...field('name')} />
      <Text size="sm" c="dimmed">
        {say('terminals.pace.about')}
      </Text>
      <SimpleGrid cols={2} spacing="sm">
        {NAMES.map((name) => (
          <NumberInput key={name} label={PACE[name]} allowDecimal={false} {...field(name)} />
        ))}
      </SimpleGrid>
      <NumberInput label={LABELS.requestsPerSecond} allowDecimal={false} {...field('requestsPerSecond')} />
    </FormDrawer>
  )
}
