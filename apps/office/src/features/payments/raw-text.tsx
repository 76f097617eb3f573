/** A text of a provider or of a setting, as it is, under its name. */
export function RawText({ title, text }: { title: string; text: string }) {
  return (
    <section aria-label={title} className="flex flex-col gap-1">
      <h3 className="text-text-2">{title}</h3>
      <pre
        dir="ltr"
        className="max-h-60 overflow-y-auto rounded-control bg-surface-2 p-2 font-mono text-start break-all whitespace-pre-wrap"
      >
        {text}
      </pre>
    </section>
  )
}
