import { PlusIcon } from '@phosphor-icons/react/dist/csr/Plus'
import { t, translatedLocales } from '../../shared/i18n.ts'

const QUESTIONS = ['camera', 'cost', 'account', 'language', 'women', 'leave'] as const

/** Frequent questions. They open without a script. */
export function Questions() {
  return (
    <div className="max-w-[820px] border-b border-hair">
      {QUESTIONS.map((question) => (
        <details key={question} name="questions" className="question group border-t border-hair">
          <summary className="title flex min-h-16 items-center justify-between gap-6 py-4">
            {t(`landing.questions.${question}`)}
            <PlusIcon
              size={18}
              weight="bold"
              className="shrink-0 text-text-3 transition-transform duration-base group-open:rotate-45"
            />
          </summary>
          <p className="body max-w-[64ch] pe-10 pb-6 text-text-2">
            {t(`landing.questions.${question}_text`, { languages: translatedLocales().length })}
          </p>
        </details>
      ))}
    </div>
  )
}
