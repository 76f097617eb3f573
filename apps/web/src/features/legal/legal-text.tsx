import { hasText, t, type TextId } from '../../shared/i18n.ts'

export type LegalDocument = 'terms' | 'privacy'

/** Chapters are numbered in the locale file: `law.terms.1.title`, `law.terms.1.text`. */
function listChapters(document: LegalDocument): { title: string; paragraphs: string[] }[] {
  const chapters = []
  for (let number = 1; hasText(`law.${document}.${number}.title`); number += 1) {
    chapters.push({
      title: t(`law.${document}.${number}.title` as TextId),
      paragraphs: t(`law.${document}.${number}.text` as TextId).split('\n'),
    })
  }
  return chapters
}

export function LegalText({
  document,
  className,
}: {
  document: LegalDocument
  className?: string
}) {
  return (
    <div className={className}>
      <p className="body text-text-2">{t(`law.${document}.lead`)}</p>
      {listChapters(document).map(({ title, paragraphs }) => (
        <section key={title} className="mt-8">
          <h2 className="title">{title}</h2>
          {paragraphs.map((paragraph) => (
            <p key={paragraph} className="body mt-2 max-w-[68ch] text-text-2">
              {paragraph}
            </p>
          ))}
        </section>
      ))}
    </div>
  )
}
