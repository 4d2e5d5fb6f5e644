import { Divider, PasswordInput, SimpleGrid, TagsInput, TextInput } from '@mantine/core'
import { FormDrawer } from '../../../components/forms/form-modal.tsx'
import { useToldChange } from '../../../components/forms/use-undo.ts'
import { notify } from '../../../lib/api/notify.tsx'
import { useDialogForm } from '../../../lib/forms/use-dialog-form.ts'
import { required } from '../../firm/auth/form-rules.ts'
import { type Connection, createConnection, updateConnection } from './ads.api.ts'
import { say } from './words.ts'

type ConnectionFormProps = { connection?: Connection; onClose: () => void; onMade?: (made: Connection) => void }

const SECRETS = ['accessToken', 'appSecret', 'verifyToken'] as const

type Values = ReturnType<typeof toFormValues>

const toFormValues = (connection: Connection | undefined) => ({
  name: connection?.name ?? '',
  adAccountId: connection?.adAccountId ?? '',
  pageIds: connection?.pageIds ?? [],
  pixelId: connection?.pixelId ?? '',
  datasetId: connection?.datasetId ?? '',
  credentials: { accessToken: '', appSecret: '', verifyToken: '' },
})

/** Returns the errors of the fields. All three credentials are required; a change may leave all of them out. */
const mistakes = (values: Values, isNew: boolean) => {
  const given = SECRETS.filter((key) => values.credentials[key].trim() !== '')
  const wanted = isNew || given.length > 0
  return {
    name: required(say('ads.form.name_missing'))(values.name),
    ...Object.fromEntries(
      SECRETS.filter((key) => wanted && !given.includes(key)).map((key) => [
        `credentials.${key}`,
        say(isNew ? 'ads.form.secret_missing' : 'ads.form.replace_all'),
      ]),
    ),
  }
}

const save = (connection: Connection | undefined, values: Values): Promise<Connection> => {
  const { accessToken, appSecret, verifyToken } = values.credentials
  const credentials = {
    accessToken: accessToken.trim(),
    appSecret: appSecret.trim(),
    verifyToken: verifyToken.trim(),
  }
  const body = {
    name: values.name.trim(),
    adAccountId: values.adAccountId.trim() || null,
    pageIds: values.pageIds.map((id) => id.trim()),
    pixelId: values.pixelId.trim() || null,
    datasetId: values.datasetId.trim() || null,
  }
  return connection
    ? updateConnection(connection, { ...body, ...(credentials.accessToken !== '' && { credentials }) })
    : createConnection({ platform: 'social', ...body, credentials })
}

const pickBody = ({ name, adAccountId, pageIds, pixelId, datasetId }: Connection) => ({
  name,
  adAccountId,
  pageIds,
  pixelId,
  datasetId,
})

const LABELS = {
  name: say('ads.form.name'),
  adAccountId: say('ads.form.ad_account'),
  pageIds: say('ads.form.pages'),
  pixelId: say('ads.form.pixel'),
  datasetId: say('ads.form.dataset'),
}

const useConnectionForm = ({ connection, onClose, onMade }: ConnectionFormProps) => {
  const tellChange = useToldChange('ads')
  return useDialogForm({
    initialValues: toFormValues(connection),
    validate: (values) => mistakes(values, !connection),
    submit: (values) => save(connection, values),
    done: (saved: Connection, sent) => {
      if (!connection) return notify(say('ads.form.made'))
      const before = pickBody(connection)
      tellChange({
        before,
        after: pickBody(saved),
        // Credentials that were replaced are not known any more.
        undo: sent.credentials.accessToken.trim() !== '' ? null : () => updateConnection(saved, before),
        done: say('ads.form.saved'),
        labels: LABELS,
      })
    },
    reads: 'ads',
    onClose,
    onDone: (saved: Connection) => onMade?.(saved),
  })
}

/** Connects an ad platform, or changes a connection. Its credentials are never shown: new ones replace all three. */
export const ConnectionForm = (props: ConnectionFormProps) => {
  const { connection } = props
  const { field, dialog, reload } = useConnectionForm(props)
  return (
    <FormDrawer
      {...dialog}
      title={connection ? connection.name : say('ads.list.new')}
      submitLabel={say(connection ? 'ads.form.save' : 'ads.form.add')}
      onReload={reload}
    >
      <TextInput
        label={say('ads.form.name')}
        placeholder={say('ads.form.name_example')}
        data-autofocus
        {...field('name')}
      />
      <TagsInput
        label={say('ads.form.pages')}
        description={say('ads.form.pages_hint')}
        splitChars={[',', ' ', '\n']}
        acceptValueOnBlur
        {...field('pageIds')}
      />
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
        <TextInput label={say('ads.form.ad_account')} {...field('adAccountId')} />
        <TextInput label={say('ads.form.pixel')} {...field('pixelId')} />
        <TextInput label={say('ads.form.dataset')} {...field('datasetId')} />
      </SimpleGrid>
      <Divider label={say(connection ? 'ads.form.replace' : 'ads.form.credentials')} labelPosition="left" />
      <PasswordInput
        label={say('ads.form.access_token')}
        description={say(connection ? 'ads.form.keep' : 'ads.form.access_token_hint')}
        autoComplete="off"
        {...field('credentials.accessToken')}
      />
      <PasswordInput
        label={say('ads.form.app_secret')}
        description={say('ads.form.app_secret_hint')}
        autoComplete="off"
        {...field('credentials.appSecret')}
      />
      <PasswordInput
        label={say('ads.form.verify_token')}
        description={say('ads.form.verify_token_hint')}
        autoComplete="off"
        {...field('credentials.verifyToken')}
      />
    </FormDrawer>
  )
}
