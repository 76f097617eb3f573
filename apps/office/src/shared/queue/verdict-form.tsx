import { useState } from 'react'
import type { OfficeUser } from '@duet/protocol'
import type { PhotoVerdict } from '@duet/protocol/kernel/sanctions.ts'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { personName } from '../person-name.ts'
import '../sanctions/child-texts.ts'
import { msg, t, textOr } from '../texts.ts'
import { ReplyField } from '../translation/reply-field.tsx'
import { type Reply, useReply } from '../translation/use-reply.ts'
import { Choices, SubmitDecision } from './choices.tsx'

/** The text with which a verdict begins. */
const VERDICT_TEXTS: Readonly<Record<PhotoVerdict, ReturnType<typeof msg>>> = {
  nudity: msg('office.verdict_text.nudity'),
  personal_data: msg('office.verdict_text.personal_data'),
  screenshot: msg('office.verdict_text.screenshot'),
  not_you: msg('office.verdict_text.not_you'),
  minor: msg('office.verdict_text.minor'),
  known_image: msg('office.verdict_text.known_image'),
  intimate_image: msg('office.verdict_text.intimate_image'),
  other: msg('office.verdict_text.other'),
}

type Owner = Pick<OfficeUser, 'id' | 'nick' | 'locale'>

export type PhotoChoice = 'approve' | PhotoVerdict

export interface GivenVerdict {
  readonly choice: PhotoChoice
  /** Empty for an approved picture, about which nothing is said. */
  readonly comment: string
}

/** The text of a verdict for the owner of a picture; it begins with that of the verdict. */
export function useVerdictText(owner: Owner, begun = '') {
  const reply = useReply(owner.locale, begun)
  return {
    reply,
    propose: (choice: PhotoChoice) =>
      choice === 'approve' ? reply.change('') : reply.propose(t(VERDICT_TEXTS[choice])),
  }
}

export function VerdictText({ owner, reply }: { owner: Owner; reply: Reply }) {
  const label = t('office.decide.reads', { name: personName(owner) })
  return <ReplyField label={label} reply={reply} rows={4} />
}

interface VerdictFormProps {
  label: string
  owner: Owner
  choices: readonly PhotoChoice[]
  begun?: Partial<GivenVerdict>
  onDecide: (given: GivenVerdict) => void
}

/** The verdict about a picture by its number key, the text that the owner reads, and the button that sends both. */
export function VerdictForm({ label, owner, choices, begun = {}, onDecide }: VerdictFormProps) {
  const [choice, setChoice] = useState(begun.choice)
  const { reply, propose } = useVerdictText(owner, begun.comment)
  const isRemoval = choice !== undefined && choice !== 'approve'
  const lacksText = isRemoval && (reply.text.trim() === '' || reply.isTranslating)
  return (
    <>
      <Choices
        label={label}
        choices={choices.map((value) => ({
          value,
          label: textOr(`office.verdict.${value}`, value),
        }))}
        value={choice}
        onChange={(value) => {
          // The chosen one again would take the written text away.
          if (value === choice) return
          setChoice(value)
          propose(value)
        }}
      />
      {choice === 'minor' && <Banner tone="warn">{t('office.child.picture')}</Banner>}
      {isRemoval && <VerdictText owner={owner} reply={reply} />}
      <SubmitDecision
        label={choice ? textOr(`office.verdict.${choice}`, choice) : t('office.decide.choose')}
        disabled={choice === undefined || lacksText}
        onPress={() => choice && onDecide({ choice, comment: reply.text.trim() })}
      />
    </>
  )
}
