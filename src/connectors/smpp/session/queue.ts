/** A first-in, first-out queue that never moves its elements. */

export interface Queue<Item> {
  push: (item: Item) => void;
  shift: () => Item | undefined;
  /** False when it is not there. */
  remove: (item: Item) => boolean;
  items: () => Item[];
  length: () => number;
}

export function createQueue<Item>(): Queue<Item> {
  let items: (Item | undefined)[] = [];
  let head = 0;
  const waiting = () => items.slice(head) as Item[];
  return {
    push: (item) => {
      items.push(item);
    },
    shift: () => {
      const item = items[head];
      items[head] = undefined;
      head += 1;
      if (head >= items.length || head === 1_024) {
        items = waiting();
        head = 0;
      }
      return item;
    },
    remove: (item) => {
      const place = items.indexOf(item, head);
      if (place >= 0) items.splice(place, 1);
      return place >= 0;
    },
    items: waiting,
    length: () => items.length - head,
  };
}
