import { Select, TagsInput } from '@mantine/core'
import { FormModal } from '../../../components/forms/form-modal.tsx'
import { BulkResults } from '../../../components/lists/bulk-results.tsx'
import type { BulkResult } from '../../../components/lists/send-in-groups.ts'
import { UndoBar } from '../../../components/lists/undo-bar.tsx'
import { useBulk } from '../../../components/lists/use-bulk.tsx'
import { useStaff } from '../../firm/users/users.api.ts'
import { buildUndo, bulkEdit, type Changes, type Undo, undoEdit } from './bulk.api.ts'
import { traderName } from './trader-names.ts'
import { RISKS } from './trader-words.ts'
import type { Trader } from './traders.api.ts'
import { say } from './words.ts'

/** Offers to undo a change of several clients, for those that it changed and nobody has changed since. */
export const UndoEdit = ({ undo, onDone }: { undo: Undo; onDone: () => void }) => (
  <UndoBar
    text={say('bulk.undo.text', { count: undo.length })}
    resource="traders"
    undo={(watch) => undoEdit(undo, watch)}
    report={(results) => {
      const failed = results.filter(({ ok }) => !ok)
      const changed = failed.filter((result) => 'isChanged' in result).length
      return say('bulk.undo.done', { count: results.length - failed.length, changed, failed: failed.length - changed })
    }}
    getName={(id) => undo.find((one) => one.id === id)?.name ?? id}
    onDone={onDone}
  />
)

type BulkEditProps = {
  rows: readonly Trader[]
  onResults: (undo: Undo, results: readonly BulkResult[]) => void
  onClose: () => void
}

/** This option removes the assignment; an empty field leaves each assignment as it is. */
const NOBODY = '-'

const isRisk = (value: string | null): value is Trader['riskLevel'] => RISKS.some((risk) => risk.value === value)

const NOTHING = {
  add: [] as string[],
  remove: [] as string[],
  addTags: [] as string[],
  removeTags: [] as string[],
  assignedTo: null as string | null,
  riskLevel: null as string | null,
}

const toChanges = ({ add, remove, addTags, removeTags, assignedTo, riskLevel }: typeof NOTHING): Changes => ({
  ...(add.length > 0 && { addSegments: add }),
  ...(remove.length > 0 && { removeSegments: remove }),
  ...(addTags.length > 0 && { addTags }),
  ...(removeTags.length > 0 && { removeTags }),
  ...(assignedTo && { assignedTo: assignedTo === NOBODY ? null : assignedTo }),
  ...(isRisk(riskLevel) && { riskLevel }),
})

/** Sets up the form of the change, and keeps the result of each client after it was sent. */
const useBulkEdit = (rows: readonly Trader[], onResults: BulkEditProps['onResults']) =>
  useBulk({
    initialValues: NOTHING,
    validate: {
      add: (_add, values) => (Object.keys(toChanges(values)).length === 0 ? say('bulk.edit.nothing') : null),
    },
    send: (values, watch) =>
      bulkEdit(
        rows.map(({ id }) => id),
        toChanges(values),
        watch,
      ),
    resource: 'traders',
    onResults: (answer) => onResults(buildUndo(rows, answer), answer),
  })

/** Changes segments, tags, assignment or risk of several clients, and shows the result of each. */
export const BulkEdit = ({ rows, onResults, onClose }: BulkEditProps) => {
  const staff = useStaff()
  const { state, results, progress } = useBulkEdit(rows, onResults)
  if (results) {
    const names = new Map(rows.map((trader) => [trader.id, traderName(trader)]))
    return (
      <BulkResults
        title={say('bulk.edit.results')}
        done={say('bulk.edit.done')}
        results={results}
        getName={(id) => names.get(id) ?? id}
        onClose={onClose}
      />
    )
  }
  const field = state.form.getInputProps
  const segments = [...new Set(rows.flatMap((trader) => trader.segments))].toSorted()
  const tags = [...new Set(rows.flatMap((trader) => trader.tags))].toSorted()
  return (
    <FormModal
      state={state}
      title={say('bulk.edit.title', { count: rows.length })}
      submitLabel={say('bulk.edit.submit')}
      opened
      onClose={onClose}
    >
      <TagsInput
        label={say('bulk.edit.add')}
        description={say('bulk.edit.add_help')}
        maxTags={50}
        openOnFocus={false}
        data-autofocus
        {...field('add')}
        // One field of these is enough, so none is marked as required.
        aria-required={false}
      />
      <TagsInput label={say('bulk.edit.remove')} data={segments} {...field('remove')} />
      <TagsInput label={say('bulk.edit.add_tags')} maxTags={50} openOnFocus={false} {...field('addTags')} />
      <TagsInput label={say('bulk.edit.remove_tags')} data={tags} {...field('removeTags')} />
      <Select
        label={say('bulk.edit.assign')}
        placeholder={say('bulk.edit.leave')}
        data={[{ value: NOBODY, label: say('bulk.edit.nobody') }, ...staff.options]}
        clearable
        searchable
        {...field('assignedTo')}
      />
      <Select
        label={say('field.riskLevel')}
        placeholder={say('bulk.edit.leave')}
        data={RISKS.filter(({ value }) => rows.some(({ riskLevel }) => riskLevel !== value))}
        clearable
        {...field('riskLevel')}
      />
      {progress}
    </FormModal>
  )
}
