import { Anchor, Checkbox, FileInput, Select, Text, TextInput } from '@mantine/core'
import { FormModal } from '../../../components/forms/form-modal.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { required } from '../../firm/auth/form-rules.ts'
import { columnFiles, missingFiles } from './list-files.ts'
import { loadList, type NewList, PUBLISHERS, SOURCE_OPTIONS } from './sanctions.api.ts'
import { say, tell } from './words.ts'

/** `files` stays null. The field exists because the server's errors about OFAC's three files have this name. */
type Values = { source: NewList['source']; version: string; content: File[]; files: null; force: boolean }
const INITIAL: Values = { source: 'ofac_sdn', version: '', content: [], files: null, force: false }

/** Reads the chosen files into the fields of the request: OFAC's three column files, or one text. */
const readFiles = async (files: readonly File[]): Promise<Pick<NewList, 'content' | 'files'>> => {
  const { sdn, alt, add } = columnFiles(files)
  if (sdn && alt && add) return { files: { sdn: await sdn.text(), alt: await alt.text(), add: await add.text() } }
  return { content: (await files[0]?.text()) ?? '' }
}

/** Loads a publisher's list. All clients are compared with it before money can leave again. */
export const LoadForm = ({ onClose }: { onClose: () => void }) => {
  const refresh = useRefresh()
  const state = useApiForm({
    initialValues: INITIAL,
    validate: {
      version: required(say('sanctions.version.required')),
      content: (files, { source }) => missingFiles(source, files),
    },
    submit: async ({ source, version, content, force }) =>
      loadList({ source, version: version.trim(), ...(force && { force }), ...(await readFiles(content)) }),
    onDone: ({ entries }) => {
      notify(say('sanctions.load.done', { entries }))
      void refresh('sanctions')
      onClose()
    },
  })
  const field = state.form.getInputProps
  const { errors } = state.form
  const wrong = errors.content ?? Object.entries(errors).find(([path]) => path.split('.')[0] === 'files')?.[1]
  const { source } = state.form.getValues()
  const ofac = source === 'ofac_sdn'
  return (
    <FormModal
      state={state}
      title={say('sanctions.load.title')}
      submitLabel={say('sanctions.load.submit')}
      opened
      onClose={onClose}
    >
      <Select
        label={say('sanctions.list')}
        data={SOURCE_OPTIONS}
        allowDeselect={false}
        data-autofocus
        {...field('source')}
      />
      <Publisher source={source} />
      <TextInput label={say('sanctions.version')} description={say('sanctions.version.hint')} {...field('version')} />
      <FileInput
        label={say('sanctions.file.label')}
        description={ofac ? say('sanctions.file.hint_ofac') : say('sanctions.file.hint')}
        placeholder={say('sanctions.file.placeholder')}
        accept=".csv,.xml,text/csv,text/xml,application/xml"
        multiple
        clearable
        {...field('content')}
        error={wrong}
      />
      <Checkbox
        label={say('sanctions.load.force')}
        description={say('sanctions.load.force_hint')}
        {...state.form.getInputProps('force', { type: 'checkbox' })}
      />
    </FormModal>
  )
}

/** Links to the publisher of the chosen list. */
const Publisher = ({ source }: Pick<NewList, 'source'>) => (
  <Text size="sm" c="dimmed">
    {tell('sanctions.load.publisher', {
      site: (
        <Anchor href={PUBLISHERS[source]} target="_blank" rel="noopener" underline="always">
          {new URL(PUBLISHERS[source]).host}
        </Anchor>
      ),
    })}
  </Text>
)
