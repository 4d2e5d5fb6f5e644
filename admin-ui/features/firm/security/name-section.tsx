import { Button, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { FormModal } from '../../../components/forms/form-modal.tsx'
import { Section } from '../../../components/page/section.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useMe } from '../../../lib/api/session.ts'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { renameMyself } from '../auth/auth.api.ts'
import { required } from '../auth/form-rules.ts'
import { say } from './words.ts'

/** Changes the reader's name, which colleagues see. */
export const NameSection = () => {
  const me = useMe()
  const [opened, { open, close }] = useDisclosure()
  return (
    <Section
      title={say('common.name')}
      description={say('security.name.about', { name: me.displayName })}
      actions={
        <Button variant="default" onClick={open}>
          {say('security.name.change')}
        </Button>
      }
    >
      {opened && <ChangeName name={me.displayName} onClose={close} />}
    </Section>
  )
}

const ChangeName = ({ name, onClose }: { name: string; onClose: () => void }) => {
  const refresh = useRefresh()
  const state = useApiForm({
    initialValues: { displayName: name },
    validate: { displayName: required(say('security.name.required')) },
    submit: ({ displayName }) => renameMyself(displayName.trim()),
    onDone: () => {
      notify(say('security.name.done'))
      void refresh('users')
      onClose()
    },
  })
  return (
    <FormModal
      state={state}
      title={say('security.name.change')}
      submitLabel={say('common.save')}
      opened
      onClose={onClose}
    >
      <TextInput
        label={say('common.name')}
        description={say('security.name.hint')}
        data-autofocus
        {...state.form.getInputProps('displayName')}
      />
    </FormModal>
  )
}
