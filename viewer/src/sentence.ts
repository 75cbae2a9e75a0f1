// Messages name the file once.
export function sentenceOf(file: string, error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.startsWith(file) ? text : `${file}: ${text}`;
}
