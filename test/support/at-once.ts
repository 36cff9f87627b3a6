/** Does something with each item, `width` of them at a time; answers in the order of the items. */
export async function atOnce<Item, Result>(
  items: readonly Item[],
  width: number,
  act: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next; index < items.length; index = next) {
      next += 1;
      results[index] = await act(items[index] as Item, index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  return results;
}
