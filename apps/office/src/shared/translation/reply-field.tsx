import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Button } from '@duet/ui/controls/button.tsx'
import { TextArea } from '@duet/ui/fields/text-area.tsx'
import { limits } from '@duet/protocol/kernel/limits.ts'
import { errorSentence } from '../api.ts'
import { t, textLocale } from '../texts.ts'
import { languageName } from './translate.ts'
import type { Reply } from './use-reply.ts'

interface ReplyFieldProps {
  label: string
  reply: Reply
  rows?: number
  /** The field takes the focus when it appears. */
  isFirst?: boolean
}

/** The text that a user will read: editable, in the language of the user, and read back in that of the office. */
export function ReplyField({ label, reply, rows = 5, isFirst = false }: ReplyFieldProps) {
  const { text, change, propose, language, isTranslating, error, back } = reply
  return (
    <div className="flex flex-col gap-2">
      <TextArea
        label={label}
        autoFocus={isFirst}
        rows={rows}
        dir="auto"
        maxLength={limits.comment_characters}
        value={text}
        onChange={(event) => change(event.target.value)}
      />
      {language && (
        <>
          <Button
            className="self-start"
            size={30}
            variant="outline"
            busy={isTranslating}
            disabled={text.trim() === ''}
            onClick={() => propose(text)}
          >
            {t('office.reply.translate', { language: languageName(language) })}
          </Button>
          <p role="status" className="break-words text-text-2">
            {back !== undefined && (
              <>
                {t('office.reply.back', { language: languageName(textLocale) })} <bdi>{back}</bdi>
              </>
            )}
          </p>
          {error && <Banner tone="danger">{errorSentence(error)}</Banner>}
        </>
      )}
    </div>
  )
}
