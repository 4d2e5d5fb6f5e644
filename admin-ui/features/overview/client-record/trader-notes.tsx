import { Center, Stack, Textarea } from '@mantine/core'
import { FormBody, FormModal } from '../../../components/forms/form-modal.tsx'
import { LoadMore, MaybeOld } from '../../../components/lists/list-rest.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { ErrorState } from '../../../components/page/error-state.tsx'
import { PageLoader } from '../../../components/page/page-loader.tsx'
import { Section } from '../../../components/page/section.tsx'
import { When } from '../../../components/show/moment.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { usePages } from '../../../lib/api/use-pages.ts'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useKeptField } from '../../../lib/forms/drafts.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { addNote, fetchNotes, type Note, type Trader } from '../../clients/traders/traders.api.ts'
import { required } from '../../firm/auth/form-rules.ts'
import { useStaff } from '../../firm/users/users.api.ts'
import { say } from './words.ts'

/** Shows the notes of colleagues about a client, who never sees them. */
export const TraderNotes = ({ trader }: { trader: Trader }) => {
  const can = useCan()
  const staff = useStaff()
  const { list, rows } = usePages<Note>(['traders', 'notes', trader.id], (query) => fetchNotes(trader.id, query))
  const writable = can('operator') && trader.deletedAt === null
  return (
    <Stack gap="md">
      {writable && <NewNote traderId={trader.id} />}
      <Section title={say('client.tab_notes')} description={say('client.notes.about')} flush>
        {list.isPending && <PageLoader />}
        {list.isLoadingError && <ErrorState error={list.error} retry={() => void list.refetch()} />}
        <MaybeOld list={list} />
        {list.data && rows.length === 0 && (
          <EmptyState title={say('client.notes.empty.title')}>{say('client.notes.empty.about')}</EmptyState>
        )}
        {rows.length > 0 && (
          <ul className="rows">
            {rows.map(({ id, body, authorId, createdAt }) => (
              <li key={id} className="row">
                <div className="row-main">
                  <div className="note">{body}</div>
                  <div className="row-sub">
                    {staff.findStaffName(authorId, createdAt) ?? say('common.program')} ·{' '}
                    <When at={createdAt} as="ago" />
                  </div>
                </div>
              </li>
            ))}
          </ul>
        )}
      </Section>
      {list.hasNextPage && (
        <Center className="list-foot">
          <LoadMore list={list} />
        </Center>
      )}
    </Stack>
  )
}

/** Holds a note while it is written. Its text is kept when the page is left. */
const useNote = (traderId: string, onDone?: () => void) => {
  const refresh = useRefresh()
  const about = `note:${traderId}`
  const state = useApiForm({
    initialValues: { body: '' },
    validate: { body: required(say('client.note_required')) },
    submit: ({ body }) => addNote(traderId, body.trim()),
    about,
    onDone: (_note, { body }) => {
      field.sent(body)
      void refresh('traders')
      onDone?.()
    },
  })
  const field = useKeptField({
    about,
    value: state.form.getValues().body,
    restore: (text) => state.form.setFieldValue('body', text),
    unanswered: state.unanswered,
  })
  return state
}

const NewNote = ({ traderId }: { traderId: string }) => {
  const state = useNote(traderId)
  return (
    <FormBody state={state} submitLabel={say('client.note_add')}>
      <Textarea
        label={say('client.note_title')}
        autosize
        minRows={2}
        maxRows={10}
        {...state.form.getInputProps('body')}
      />
    </FormBody>
  )
}

/** Writes a note from any tab of the client's page. */
export const NoteForm = ({ trader, onClose }: { trader: Trader; onClose: () => void }) => {
  const state = useNote(trader.id, () => {
    notify(say('client.note_done'))
    onClose()
  })
  return (
    <FormModal
      state={state}
      title={say('client.note_title')}
      submitLabel={say('client.note_add')}
      opened
      onClose={onClose}
    >
      <Textarea
        label={say('client.note')}
        description={say('client.note_about')}
        autosize
        minRows={4}
        maxRows={14}
        data-autofocus
        {...state.form.getInputProps('body')}
      />
    </FormModal>
  )
}
