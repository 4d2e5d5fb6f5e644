import {
  ActionIcon,
  Button,
  FileButton,
  Group,
  Paper,
  SegmentedControl,
  type SegmentedControlProps,
  Select,
  type SelectProps,
  Stack,
  Text,
} from '@mantine/core'
import { IconFilePlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { FormDrawer } from '../../../components/forms/form-modal.tsx'
import { NoteField } from '../../../components/forms/note-field.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { choices } from '../../../lib/text/choices.ts'
import { required } from '../../firm/auth/form-rules.ts'
import { TraderPicker } from '../traders/trader-picker.tsx'
import { submitPapers, uploadDocument } from './kyc.api.ts'
import { KIND_LABELS } from './kyc-words.tsx'
import {
  ACCEPT,
  asAnnounced,
  type ChosenPaper,
  paperRefusal,
  type TakenPaper,
  takenDocument,
  withFileName,
} from './papers.ts'
import { say } from './words.ts'

const KINDS = choices(KIND_LABELS)
const SIDES = [
  { value: '', label: say('kyc.side.whole') },
  { value: 'front', label: say('kyc.side.front') },
  { value: 'back', label: say('kyc.side.back') },
]

type Values = { traderId: string; level: string; papers: ChosenPaper[]; note: string }
type UploadFormProps = { trader?: { id: string; name: string }; onClose: () => void }

/** Sets up the form of an upload. After an error it sends only the files that the server has not taken yet. */
const useUploadForm = ({ trader, onClose }: UploadFormProps) => {
  const refresh = useRefresh()
  const taken = useRef<TakenPaper[]>([])
  const take = async (traderId: string, paper: ChosenPaper, oneOfSeveral: boolean): Promise<string> => {
    const { file, kind, side } = paper
    const { id } = await uploadDocument(traderId, file, { kind, ...(side && { side }) }).catch((error: unknown) => {
      throw oneOfSeveral ? withFileName(error, file) : error
    })
    taken.current.push({ ...paper, traderId, documentId: id })
    return id
  }
  const initialValues: Values = { traderId: trader?.id ?? '', level: '1', papers: [], note: '' }
  return useApiForm({
    initialValues,
    validate: {
      traderId: required(say('common.client.required')),
      papers: (papers: ChosenPaper[]) =>
        papers.length === 0
          ? say('kyc.upload.required')
          : (papers.map(({ file }) => paperRefusal(file)).find(Boolean) ?? null),
    },
    submit: async ({ traderId, level, papers, note }) => {
      const documentIds: string[] = []
      for (const paper of papers) {
        const known = takenDocument(taken.current, traderId, paper)
        documentIds.push(known ?? (await take(traderId, paper, papers.length > 1)))
      }
      await submitPapers({ traderId, level: Number(level), documentIds, ...(note.trim() && { note: note.trim() }) })
    },
    onDone: () => {
      notify(say('kyc.upload.done'))
      void refresh('kyc')
      onClose()
    },
  })
}

/** Submits a client's documents on the client's behalf. */
export const UploadForm = (props: UploadFormProps) => {
  const { trader, onClose } = props
  const state = useUploadForm(props)
  const { getInputProps: field, setValues } = state.form
  const { traderId, papers } = state.form.getValues()
  // The files were chosen for one client, so they are cleared when another client is chosen.
  const chooseTrader = (id: string | null): void =>
    setValues({ traderId: id ?? '', ...(traderId && { papers: [], note: '' }) })
  const add = (files: File[]): void =>
    state.form.setFieldValue('papers', [
      ...papers,
      ...files.map((file): ChosenPaper => ({ file: asAnnounced(file), kind: 'passport', side: '' })),
    ])
  return (
    <FormDrawer
      state={state}
      title={say('kyc.upload.title')}
      submitLabel={say('kyc.upload.submit')}
      opened
      onClose={onClose}
    >
      {trader ? (
        <Text size="sm">{say('kyc.upload.subtitle', { name: trader.name })}</Text>
      ) : (
        <TraderPicker data-autofocus {...field('traderId')} value={traderId || null} onChange={chooseTrader} />
      )}
      <Select label={say('kyc.upload.level')} data={['1', '2', '3']} allowDeselect={false} {...field('level')} />
      <AddPapers onAdd={add} error={field('papers').error} />
      <Stack gap="xs">
        {papers.map(({ file }, index) => (
          <PaperFields
            key={`${file.name}-${file.lastModified}-${file.size}`}
            file={file}
            kind={field(`papers.${index}.kind`)}
            side={field(`papers.${index}.side`)}
            onRemove={() => state.form.removeListItem('papers', index)}
          />
        ))}
      </Stack>
      <NoteField {...field('note')} />
    </FormDrawer>
  )
}

const AddPapers = ({ onAdd, error }: { onAdd: (files: File[]) => void; error: ReactNode }) => (
  <div>
    <FileButton onChange={onAdd} accept={ACCEPT} multiple inputProps={{ 'aria-label': say('kyc.documents.title') }}>
      {(props) => (
        <Button {...props} variant="default" leftSection={<IconFilePlus size={16} />}>
          {say('kyc.upload.add')}
        </Button>
      )}
    </FileButton>
    <Text size="xs" c="dimmed" mt={4}>
      {say('kyc.upload.hint')}
    </Text>
    {error && (
      <Text size="xs" className="error-text" role="alert" mt={4}>
        {error}
      </Text>
    )}
  </div>
)

type PaperFieldsProps = { file: File; kind: SelectProps; side: Partial<SegmentedControlProps>; onRemove: () => void }

/** Asks for the kind and the side of one file. */
const PaperFields = ({ file, kind, side, onRemove }: PaperFieldsProps) => (
  <Paper withBorder p="sm">
    <Group justify="space-between" wrap="nowrap" mb={6}>
      <Text size="sm" className="ellipsis">
        {file.name}
      </Text>
      <ActionIcon aria-label={say('kyc.upload.remove', { name: file.name })} onClick={onRemove}>
        <IconTrash size={16} />
      </ActionIcon>
    </Group>
    <Group gap="xs">
      <Select
        aria-label={say('kyc.upload.kind', { name: file.name })}
        data={KINDS}
        allowDeselect={false}
        flex={1}
        {...kind}
      />
      <SegmentedControl aria-label={say('kyc.upload.side', { name: file.name })} data={SIDES} {...side} />
    </Group>
  </Paper>
)
