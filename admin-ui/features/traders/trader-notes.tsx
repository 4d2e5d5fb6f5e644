import { Center, Stack, Textarea } from '@mantine/core'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { FormBody } from '../../components/form-modal.tsx'
import { LoadMore, MaybeOld } from '../../components/list-rest.tsx'
import { PageLoader } from '../../components/page-loader.tsx'
import { Section } from '../../components/section.tsx'
import { When } from '../../components/when.tsx'
import { useKeptField } from '../../lib/drafts.ts'
import { useCan } from '../../lib/session.ts'
import { useApiForm } from '../../lib/use-api-form.ts'
import { usePages } from '../../lib/use-pages.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { required } from '../auth/rules.ts'
import { useStaff } from '../users/users.api.ts'
import { addNote, fetchNotes, type Note, type Trader } from './traders.api.ts'

/** What colleagues wrote about a client. The client never sees it. */
export const TraderNotes = ({ trader }: { trader: Trader }) => {
  const can = useCan()
  const staff = useStaff()
  const { list, rows } = usePages<Note>(['traders', 'notes', trader.id], (query) => fetchNotes(trader.id, query))
  const writable = can('operator') && trader.deletedAt === null
  return (
    <Stack gap="md">
      {writable && <NewNote traderId={trader.id} />}
      <Section title="Notes" description="Internal: the client never sees them." flush>
        {list.isPending && <PageLoader />}
        {list.isLoadingError && <ErrorState error={list.error} retry={() => void list.refetch()} />}
        <MaybeOld list={list} />
        {list.data && rows.length === 0 && (
          <EmptyState title="No notes yet">What a colleague should know before the next call belongs here.</EmptyState>
        )}
        {rows.length > 0 && (
          <ul className="rows">
            {rows.map(({ id, body, authorId, createdAt }) => (
              <li key={id} className="row">
                <div className="row-main">
                  <div className="note">{body}</div>
                  <div className="row-sub">
                    {staff.nameOf(authorId) ?? 'A program'} · <When at={createdAt} as="ago" />
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

const NewNote = ({ traderId }: { traderId: string }) => {
  const refresh = useRefresh()
  const about = `note:${traderId}`
  const state = useApiForm({
    initialValues: { body: '' },
    validate: { body: required('Write something first') },
    submit: ({ body }) => addNote(traderId, body.trim()),
    about,
    onDone: (_note, { body }) => {
      field.sent(body)
      void refresh('traders')
    },
  })
  const field = useKeptField({
    about,
    value: state.form.getValues().body,
    restore: (text) => state.form.setFieldValue('body', text),
    unanswered: state.unanswered,
  })
  return (
    <FormBody state={state} submitLabel="Add note">
      <Textarea label="New note" autosize minRows={2} maxRows={10} {...state.form.getInputProps('body')} />
    </FormBody>
  )
}
